// Pictures of every view: node views.mjs TOOL SCENES NODE_MODULES OUT [--site SITE] [--only NAME,...] [--widths 1440,390] [--themes light,dark]
// Runs scenes and compares laws, serves the laboratory and the files of SITE (made by carom site), and takes pictures of all
// their pages with screenshots.mjs into OUT.
import { execFileSync, spawn } from "node:child_process";
import { createReadStream, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, extname, join, normalize, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const words = process.argv.slice(2);
const option = (name) => {
  const at = words.indexOf(`--${name}`);
  return at < 0 ? "" : words.splice(at, 2)[1];
};
const site = option("site"), only = option("only").split(",").filter(Boolean);
const passed = ["widths", "themes"].flatMap((name) => {
  const value = option(name);
  return value ? [`--${name}`, value] : [];
});
const [tool, scenes, modules, out] = words.map((path) => resolve(path));
if (!out) {
  console.error("usage: node views.mjs TOOL SCENES NODE_MODULES OUT [--site SITE] [--only NAME,...]");
  process.exit(2);
}
const work = mkdtempSync(join(tmpdir(), "carom-views-"));

/** An arm with a motor on a cart that runs between stops and is held by a spring, and a rod that a torsion spring turns. */
const linked = `title = "Links, stops and motors"
about = "A cart between two stops, held by a spring; its motor turns an arm within its limits, and a rod hangs at the end."
duration = 3
gravity = 9.81
law = "newton"

[[body]]
name = "cart"
shape = {type = "rectangle", size = [0.5, 0.2]}
mass = 2
velocity = [2, 0]

[[body]]
name = "arm"
shape = {type = "rectangle", size = [0.6, 0.06]}
mass = 0.5
position = [0.3, 0.1]
velocity = [2, 0]

[[body]]
name = "rod"
shape = {type = "rectangle", size = [0.4, 0.04]}
mass = 0.2
position = [0.8, 0.1]
velocity = [2, 0]

[[joint]]
type = "prismatic"
name = "rail"
body = "cart"
axis = [1, 0]
limits = [-0.3, 0.4]
e = 0.6

[[joint]]
type = "revolute"
name = "shoulder"
bodies = ["cart", "arm"]
at = [0, 0.1]
limits = [-5, 80]
e = 0.3
motor = {position = 50, kp = 20, kd = 2, max_torque = 15}

[[joint]]
type = "revolute"
name = "elbow"
bodies = ["arm", "rod"]
at = [0.6, 0.1]
limits = [-100, 100]

[[spring]]
name = "spring"
bodies = ["world", "cart"]
points = [[-1, 0], [-0.25, 0]]
k = 40
c = 1
`;
const file = (name, text) => {
  const path = join(work, name);
  writeFileSync(path, text);
  return path;
};
const scene = (name) => join(scenes, `${name}.toml`);
const run = (path, ...options) => (report) => ["run", path, "--out", dirname(report), ...options];
const compare = (...rest) => (report) => ["compare", ...rest, "--report", report];

/** What the tool is asked for each page, given where its report goes. */
const pages = {
  chain: run(scene("newtons_cradle")),
  plane: run(scene("dominoes")),
  space: run(scene("box_of_spheres")),
  beads: run(scene("chain_of_beads")),
  linked: run(file("linked.toml", linked)),
  laws: compare(scene("newtons_cradle"), "--laws", "lzb,newton,poisson", "--set", "duration=4"),
  laws_in_space: compare(scene("spinning_ellipsoid"), "--laws", "newton,poisson"),
  impact: (report) => ["impact", scene("chain_of_beads"), "--at", "first", "--report", report],
  impact_laws: compare(scene("newtons_cradle"), "--at", "1", "--laws", "lzb,compliant,newton"),
  problem: compare(join(scenes, "../examples/three_balls.json")),
};
const wanted = (name) => only.length === 0 || only.includes(name);

const served = [], stops = [];
for (const [name, asked] of Object.entries(pages).filter(([name]) => wanted(name))) {
  const report = join(work, name, "report.html");
  mkdirSync(dirname(report));
  execFileSync(tool, [...asked(report), "--quiet"], { stdio: ["ignore", "ignore", "inherit"] });
  served.push(report);
}
for (const name of ["newtons_cradle", "box_of_spheres"].filter(() => wanted("film"))) {
  const film = join(work, `film_${name}.svg`);
  execFileSync(tool, ["run", scene(name), "--quiet", "--no-report", "--out", join(work, `film_${name}`), "--svg", film]);
  served.push(film);
}
if (wanted("laboratory")) {
  const server = spawn(tool, ["serve", "--port", "0", "--folder", scenes, "--no-open"], { stdio: ["ignore", "pipe", "inherit"] });
  stops.push(() => server.kill());
  served.push(await new Promise((told) => server.stdout.once("data", (text) => told(/http:\S+/.exec(String(text))[0]))));
}
if (site && wanted("site")) served.push(await files(resolve(site)));

const pictures = spawn("node", [join(here, "screenshots.mjs"), "--modules", modules, "--out", out, ...passed, ...served], { stdio: "inherit" });
const status = await new Promise((ended) => pictures.once("exit", ended));
for (const stop of stops) stop();
rmSync(work, { recursive: true, force: true });
process.exit(status ?? 1);

/** The address of a server of the files of a folder. */
async function files(folder) {
  const types = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".svg": "image/svg+xml" };
  const server = createServer((request, answer) => {
    const path = join(folder, normalize(decodeURIComponent(new URL(request.url, "http://x").pathname)).replace(/\/$/, "/index.html"));
    if (!path.startsWith(folder) || !statSync(path, { throwIfNoEntry: false })?.isFile()) return answer.writeHead(404).end();
    answer.writeHead(200, { "Content-Type": types[extname(path)] ?? "application/octet-stream" });
    createReadStream(path).pipe(answer);
  });
  stops.push(() => server.close());
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  return `http://127.0.0.1:${server.address().port}/`;
}
