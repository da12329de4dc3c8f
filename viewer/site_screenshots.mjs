// The pages of a site, one after the other: for screenshots.mjs, which gives a page of one width and theme.
import { showLaboratory } from "./lab_screenshots.mjs";

const pages = { gallery: "index.html", guide: "guide/guide.html", law: "guide/laws/lzb.html", pictures: "guide/report.html" };

/** `address` is that of the site, such as a server of files has it; `shot(name)` takes a picture. */
export async function showSite(page, address, shot) {
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(new URL(path, address).href);
    if (name === "gallery") await page.waitForFunction(() => document.querySelectorAll('[data-scene][data-state="ready"]').length > (innerWidth < 600 ? 0 : 5), null, { timeout: 120000 });
    await shot(name);
  }
  await showLaboratory(page, new URL("lab.html", address).href, (name) => shot(`lab_${name}`));
}
