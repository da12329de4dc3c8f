// The views of the laboratory, one after the other: for screenshots.mjs, which gives a page of one width and theme.

/** `address` is that of a laboratory, such as carom serve prints; `shot(name)` takes a picture. */
export async function showLaboratory(page, address, shot) {
  // the page's policy lets nobody evaluate texts in it, so it is asked again and again
  const wait = async (what, value) => {
    while (!(await page.evaluate(what, value))) await page.waitForTimeout(50);
  };
  const scene = async (name) => {
    await page.goto(`${address}?scene=${name}`);
    await wait(() => document.documentElement.dataset.ready === "yes");
  };
  const isPhone = await page.evaluate(() => innerWidth < 900);
  const side = (name) => isPhone && page.click(`#side-${name}`);
  const result = (count) => wait((n) => document.querySelectorAll("#views [role=tab]").length > n, count);

  await scene("tennis_and_basketball");
  await shot("start");
  await page.selectOption("#start-view [data-part=bodies]", { index: 1 });
  await shot("body");
  const tag = await page.locator("#start-view .tag i").boundingBox(), [x, y] = [tag.x + tag.width / 2, tag.y + tag.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 60, y + 40, { steps: 4 });
  await shot("dragging");
  await page.mouse.move(x, y, { steps: 4 });
  await page.mouse.up();
  await side("scene");
  await shot("form");
  await page.click("#tab-text");
  await page.click(".cm-content");
  await page.keyboard.press("Control+Home");
  await page.keyboard.insertText("gravty = 1\n");
  await page.waitForSelector("#trouble:not([hidden])");
  await shot("error");
  await page.click("#undo");
  await page.waitForSelector("#trouble", { state: "hidden" });
  await page.click("#pick-scene");
  await shot("gallery");
  await page.keyboard.press("Escape");
  await page.click("#tab-form");
  await page.click("#run");
  await result(1);
  await page.fill("[data-part=scrub]", "40000");
  await shot("run");
  await page.click("#compare");
  await shot("laws");
  await page.click("#comparing-run");
  await result(2);
  await page.fill("[data-part=scrub]", "40000");
  await shot("comparison");
  await side("scene");
  await page.fill('[data-path="contact.e"]', "0.4");
  await page.keyboard.press("Enter");
  await side("bench");
  await wait(() => document.querySelector("#views .old") !== null);
  await shot("stale");
  await scene("newtons_cradle");
  await side("scene");
  await page.click("#tab-form");
  await page.fill('[data-path="duration"]', "20000");
  await page.keyboard.press("Enter");
  await side("bench");
  await page.click("#run");
  await page.waitForSelector("#progress:not([hidden])");
  await shot("running");
  await page.click("#cancel");
  await scene("spinning_ellipsoid");
  await side("bench");
  await shot("space");
}
