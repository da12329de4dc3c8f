// The pictures of the README and of docs/: node readme_pictures.mjs TOOL SCENES NODE_MODULES OUT
// Runs scenes, opens their pages in headless Chromium and writes report_cradle.png, report_inside.png, report_laws.png,
// report_space.png, report_phone.png and laboratory.png into OUT.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [tool, scenes, modules, out] = process.argv.slice(2).map((path) => resolve(path));
const { chromium } = createRequire(join(modules, "any.js"))("playwright-core");
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});
const work = mkdtempSync(join(tmpdir(), "carom-pictures-"));
mkdirSync(out, { recursive: true });

const reportOf = (scene, ...options) => {
  const results = join(work, scene);
  execFileSync(tool, ["run", join(scenes, `${scene}.toml`), "--quiet", "--out", results, ...options], { stdio: ["ignore", "ignore", "inherit"] });
  return pathToFileURL(join(results, "report.html")).href;
};

/** Opens a page, does something with it, and takes its picture. */
async function picture(name, address, settings, act) {
  const page = await browser.newPage({ viewport: { width: 1180, height: 720 }, reducedMotion: "reduce", ...settings });
  page.setDefaultTimeout(120_000);
  await page.goto(address);
  await page.waitForSelector("[data-part=scrub], #run");
  await act(page);
  await page.evaluate(() => {
    document.activeElement?.blur();
    scrollTo(0, 0);
  });
  await page.waitForTimeout(800);
  await page.screenshot({ path: join(out, `${name}.png`) });
  await page.close();
}
/** Into the slow motion of an impact, at a part of it. */
const inside = (part) => async (page) => {
  await page.keyboard.press("s");
  await page.waitForTimeout(500);
  await page.click("[data-part=play]");
  await page.fill("[data-part=scrub]", String(Math.round(part * 100_000)));
};
const at = (part) => (page) => page.fill("[data-part=scrub]", String(Math.round(part * 100_000)));

const cradle = reportOf("newtons_cradle");
await picture("report_cradle", cradle, {}, inside(0.42));
await picture("report_phone", cradle, { viewport: { width: 390, height: 844 }, colorScheme: "dark" }, inside(0.42));
await picture("report_inside", reportOf("chain_of_beads"), { colorScheme: "dark" }, inside(0.5));
await picture("report_space", reportOf("box_of_spheres", "--set", "duration=2"), {}, at(0.5));
const laws = join(work, "laws.html");
execFileSync(tool, ["compare", join(scenes, "newtons_cradle.toml"), "--laws", "lzb,newton,poisson", "--report", laws], { stdio: "ignore" });
await picture("report_laws", pathToFileURL(laws).href, {}, inside(0.42));

const server = spawn(tool, ["serve", "--port", "0", "--no-open", "--folder", scenes]);
const address = await new Promise((tell) => server.stdout.on("data", (text) => /http:\S+/.test(text) && tell(/http:\S+/.exec(String(text))[0])));
await picture("laboratory", `${address}?scene=newtons_cradle`, { colorScheme: "dark" }, async (page) => {
  while (!(await page.evaluate(() => document.documentElement.dataset.ready === "yes"))) await page.waitForTimeout(100);
  await page.click("#run");
  await page.waitForSelector("#result-view [data-part=scrub]");
  await at(0.03)(page);
});
server.kill("SIGTERM");
await browser.close();
rmSync(work, { recursive: true, force: true });
