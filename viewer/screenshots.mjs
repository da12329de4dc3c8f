// Pictures of pages: node screenshots.mjs --modules NODE_MODULES --out FOLDER REPORT.html... PICTURE.svg... ADDRESS...
// Each report is shown at 1440 and 390 pixels, light and dark, whole, at an impact, inside one and with each of its tables; pictures on a white page;
// ADDRESS is that of a laboratory (carom serve) or of a site, of which every view is shown.
import { createRequire } from "node:module";
import { mkdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { showLaboratory } from "./lab_screenshots.mjs";
import { showSite } from "./site_screenshots.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const words = process.argv.slice(2);
const option = (name, otherwise) => {
  const at = words.indexOf(`--${name}`);
  return at < 0 ? otherwise : words.splice(at, 2)[1];
};
const modules = resolve(option("modules", join(here, "node_modules")));
const out = resolve(option("out", "screenshots"));
const height = Number(option("height", "900"));
const widths = option("widths", "1440,390").split(",").map(Number);
const themes = option("themes", "light,dark").split(",");
const { chromium } = createRequire(join(modules, "any.js"))("playwright-core");
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});
mkdirSync(out, { recursive: true });
for (const report of words)
  for (const width of widths)
    for (const theme of themes) {
      const page = await browser.newPage({ viewport: { width, height: width < 600 ? 844 : height }, colorScheme: theme, reducedMotion: "reduce", deviceScaleFactor: width < 600 ? 2 : 1 });
      page.setDefaultTimeout(180_000);
      page.on("console", (message) => console.log(message.type(), message.text()));
      page.on("pageerror", (error) => console.log("page error", error.message, error.stack));
      if (/^https?:/.test(report)) {
        await page.goto(report);
        const isSite = (await page.$("[data-scene]")) !== null, name = isSite ? "site" : "laboratory";
        await (isSite ? showSite : showLaboratory)(page, report, async (what) => {
          await page.waitForTimeout(700);
          await page.screenshot({ path: join(out, `${name}_${width}_${theme}_${what}.png`) });
        });
        await page.close();
        continue;
      }
      if (/\.svg$/.test(report)) {
        if (theme === themes[0]) {
          await page.setContent(`<body style="margin:0;background:#fff">${readFileSync(report, "utf8")}</body>`);
          await page.screenshot({ path: join(out, `${basename(report, ".svg")}_${width}.png`), fullPage: true });
        }
        await page.close();
        continue;
      }
      await page.goto(pathToFileURL(resolve(report)).href);
      await page.waitForFunction(() => document.documentElement.dataset.ready === "yes", null, { timeout: 60000 }).catch(() => console.log("not ready"));
      const name = `${basename(dirname(resolve(report)))}_${width}_${theme}`;
      const shot = async (what, full = false) => {
        await page.evaluate(() => {
          document.activeElement?.blur();
          scrollTo(0, 0);
        });
        await page.waitForTimeout(400);
        await page.screenshot({ path: join(out, `${name}_${what}.png`), fullPage: full, scale: full ? "css" : "device" });
      };
      const isThere = (part) => page.isVisible(`[data-part=${part}]`);
      if (await isThere("scrub")) await page.fill("[data-part=scrub]", "30000");
      if (await isThere("add-phase")) await page.click("[data-part=add-phase]");
      await shot("page", true);
      if (await isThere("scrub")) await page.fill("[data-part=scrub]", "0");
      if ((await isThere("next")) && (await page.isEnabled("[data-part=next]"))) {
        await page.click("[data-part=next]");
        await shot("impact");
      }
      if (await isThere("look-inside")) {
        await page.click("[data-part=look-inside]");
        await page.waitForTimeout(3000);
        await page.click("[data-part=play]");
        await shot("inside", true);
      }
      const tabs = page.locator("[data-part=tabs] button"), count = await tabs.count();
      for (let i = 1; i < count; ++i) {
        await tabs.nth(i).click();
        await page.waitForTimeout(200);
        await page.locator(".tables").screenshot({ path: join(out, `${name}_tab${i}.png`), scale: "css" });
      }
      await page.close();
    }
await browser.close();
