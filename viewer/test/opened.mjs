// A browser for tests of reports, and what they do with it. Takes TOOL SCENES NODE_MODULES from the command line; ends with 77
// where there is no Chromium, no playwright-core or no report in this build.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

export const [tool, scenes, modules] = process.argv.slice(2).map((path) => resolve(path));
const skip = (why) => {
  console.log(`skipped: ${why}`);
  process.exit(77);
};
export const browserPath = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => path && existsSync(path));
if (!browserPath) skip("there is no Chromium (Debian's package chromium)");
if (!existsSync(join(modules, "playwright-core"))) skip("there is no playwright-core (npm ci in the folder of the viewer)");
if (/without reports/.test(execFileSync(tool, ["--version"], { encoding: "utf8" }))) skip("this tool was built without reports");
export const { chromium } = createRequire(join(modules, "any.js"))("playwright-core");

export const folder = mkdtempSync(join(tmpdir(), "carom_report_"));
export const runScene = (name, ...options) => {
  execFileSync(tool, ["run", join(scenes, name), "--quiet", "--out", join(folder, name), ...options]);
  return join(folder, name);
};
/** Runs a scene that is given as text; it may end with 1, as where it does not finish. */
export const runText = (name, text, ...options) => {
  const scene = join(folder, `${name}.toml`), results = join(folder, name);
  writeFileSync(scene, text);
  const { status, stderr } = spawnSync(tool, ["run", scene, "--quiet", "--out", results, ...options], { encoding: "utf8" });
  assert.ok(status === 0 || status === 1, stderr);
  return results;
};
/** The columns of a CSV file by their names; no field of these files has a comma within quotes. */
export const csv = (file) => {
  const [head, ...rows] = readFileSync(file, "utf8").trim().split("\n").map((line) => line.split(","));
  return (name) => rows.map((row) => row[head.indexOf(name)]);
};
export const shownNumber = (text) => Number(text.replaceAll("−", "-").split(" ")[0]);
export const closeTo = (shown, exact, relative, what) =>
  assert.ok(Math.abs(shown - exact) <= relative * Math.max(Math.abs(exact), 1e-9), `${what}: ${shown} is not ${exact}`);

export const browser = await chromium.launch({
  executablePath: browserPath,
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});

/** Opens the report of a run, or a page, does something with it, and wants no complaint. */
export async function withReport(results, { before, ...settings }, act) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 850 }, acceptDownloads: true, ...settings });
  if (before) await page.addInitScript(before);
  const complaints = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => /^https?:/.test(request.url()) && complaints.push(`asks for ${request.url()}`));
  const began = Date.now();
  await page.goto(pathToFileURL(results.endsWith(".html") ? results : join(results, "report.html")).href, { timeout: 60000 });
  await page.waitForFunction(() => document.documentElement.dataset.ready === "yes", null, { timeout: 20000 });
  await act(page, Date.now() - began);
  assert.deepEqual(complaints, []);
  await page.close();
}

/** Some of the picture is not like the rest: something is drawn. */
export async function drawsSomething(page) {
  await page.waitForTimeout(300);
  const colours = await page.evaluate(() => {
    const stage = document.querySelector("[data-part=stage]");
    const small = Object.assign(document.createElement("canvas"), { width: 64, height: 64 });
    small.getContext("2d").drawImage(stage, 0, 0, 64, 64);
    const data = small.getContext("2d").getImageData(0, 0, 64, 64).data, found = new Set();
    for (let i = 0; i < data.length; i += 4) found.add(`${data[i] >> 4} ${data[i + 1] >> 4} ${data[i + 2] >> 4} ${data[i + 3] >> 6}`);
    return found.size;
  });
  assert.ok(colours > 3, `only ${colours} colours are drawn`);
}

/** Pixels of the picture whose red, green, blue and opacity are as wanted. */
export const pixels = (page, wanted) =>
  page.evaluate((text) => {
    const stage = document.querySelector("[data-part=stage]"), copy = Object.assign(document.createElement("canvas"), { width: stage.width, height: stage.height });
    copy.getContext("2d").drawImage(stage, 0, 0);
    const data = copy.getContext("2d").getImageData(0, 0, stage.width, stage.height).data, isWanted = (0, eval)(text);
    let count = 0;
    for (let i = 0; i < data.length; i += 4) count += isWanted(data[i], data[i + 1], data[i + 2], data[i + 3]);
    return count;
  }, String(wanted));

export const named = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("button, select, input, summary, [role=img]")]
      .filter((one) => one.checkVisibility())
      .filter((one) => !(one.getAttribute("aria-label") || one.textContent.trim() || one.labels?.[0]?.textContent.trim()))
      .map((one) => one.outerHTML.slice(0, 120)));

/** A page that a verb writes. */
export const pageOf = (name, ...words) => {
  const file = join(folder, `${name}.html`);
  execFileSync(tool, [...words, "--quiet", "--report", file]);
  return file;
};

/** The bytes of what a click saves. */
export async function saved(page, click) {
  const [download] = await Promise.all([page.waitForEvent("download", { timeout: 30000 }), click()]);
  return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
}

export const fitsPhone = async (page) => {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, `the page is ${wide} pixels wide`);
};

/** Passes the tests one after the other, closes the browser and ends. */
export async function passAll(tests) {
  let failed = 0;
  for (const [name, test] of Object.entries(tests))
    try {
      const began = Date.now();
      await test();
      console.log(`passed: ${name} (${Date.now() - began} ms)`);
    } catch (error) {
      ++failed;
      console.log(`FAILED: ${name}\n${error.stack}`);
    }
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
  process.exit(failed ? 1 : 0);
}
