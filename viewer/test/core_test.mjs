// The core for browsers against the tool: node core_test.mjs CAROM WASM_FOLDER [--table]
// Impacts of every problem under every law must agree to 1e-12 of the largest velocity and impulse where the answer says
// that it is unique, else (redundant contacts with friction) to what such answers are solved to. Runs of scenes that are
// not chaotic must agree in impacts and energies, to the tolerance of their scheme. --table runs every scene.
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { loadCore } from "../node_core.mjs";

const [tool, folder] = process.argv.slice(2), tree = join(dirname(fileURLToPath(import.meta.url)), "../..");
const table = process.argv.includes("--table"), work = mkdtempSync(join(tmpdir(), "carom-core-")), call = promisify(execFile);
process.on("exit", () => rmSync(work, { recursive: true, force: true }));

const failures = [];
const expect = (good, what) => good || (failures.push(what), console.error(`FAILED: ${what}`));

/** What the tool prints, also where there is no answer (exit code 1); null where it refuses (2). */
const native = (...options) =>
  call(tool, options, { maxBuffer: 1 << 28 }).then(({ stdout }) => stdout, (error) => (error.code === 1 ? error.stdout : error.code === 2 ? null : Promise.reject(error)));

const flat = (value) => (Array.isArray(value) ? value.flatMap(flat) : [value]);
/** The largest difference, relative to the largest number, or to `least` where that is more; infinite where one has none and
 * the other has. */
function difference(a, b, least = 1e-300) {
  const one = flat(a ?? []), other = flat(b ?? []);
  if (one.length !== other.length || one.some((x, i) => (x === null) !== (other[i] === null))) return Infinity;
  const size = Math.max(...one.map((x) => Math.abs(x ?? 0)), least);
  return Math.max(0, ...one.map((x, i) => Math.abs((x ?? 0) - (other[i] ?? 0)))) / size;
}

const scenesFolder = join(tree, "scenes");
const files = Object.fromEntries(readdirSync(scenesFolder).filter((name) => name.endsWith(".csv")).map((name) => [name, readFileSync(join(scenesFolder, name), "utf8")]));
const core = await loadCore(folder, files);
const laws = core.answer("describe", {}).laws.map(({ name }) => name);
expect(laws.length >= 10, "describe lists the laws");

// Impacts.
const examples = join(tree, "examples");
const problems = readdirSync(examples).filter((name) => name.endsWith(".json")).map((name) => [name, readFileSync(join(examples, name), "utf8")]);
for (const name of ["lzb_friction", "lzb_stalls"])
  for (const one of JSON.parse(readFileSync(join(tree, `tests/data/${name}.json`), "utf8")).cases)
    problems.push([`${name}: ${one.name}`, JSON.stringify(one.problem)]);

const numbers = ({ u_plus, impulse, tangential_impulse }) => [u_plus, impulse, tangential_impulse];
const impacts = {
  compared: 0, same: 0, refused: 0,
  unique: { most: 1e-12, worst: 0, place: "" }, others: { most: 1e-7, worst: 0, place: "" },
};
async function compareImpact(name, text, file, law) {
  const said = await native("impact", file, "--json", ...(law ? ["--law", law] : []));
  const answer = core.answer("impact", { problem: text, ...(law ? { law } : {}) }), where = `${name} under ${law ?? "its law"}`;
  if (said === null || !answer.ok) {
    impacts.refused += 1;
    return expect((said === null) === !answer.ok, `${where}: both refuse it, or neither (${answer.error?.message})`);
  }
  const mine = answer.outcome, its = JSON.parse(said);
  impacts.compared += 1;
  impacts.same += JSON.stringify(numbers(mine)) === JSON.stringify(numbers(its)) ? 1 : 0;
  expect(mine.status === its.status, `${where}: ${mine.status} here, ${its.status} there`);
  const impulses = Math.max(...flat([its.impulse ?? [], its.tangential_impulse ?? []]).map((one) => Math.abs(one ?? 0)), 1e-300);
  const speeds = Math.max(...JSON.parse(text).u.map(Math.abs), 1e-300), unique = Object.values(its.unique).every((one) => one === true);
  const best = impacts[unique ? "unique" : "others"];
  for (const [key, least] of [["u_plus", speeds], ["impulse", impulses], ["tangential_impulse", impulses]]) {
    const found = difference(its[key], mine[key], least);
    if (found > best.worst) Object.assign(best, { worst: found, place: `${where}, ${key}` });
    expect(found <= best.most, `${where}: ${key} differs by ${found}`);
  }
}
for (const [name, text] of problems) {
  const file = join(work, "problem.json");
  writeFileSync(file, text);
  await compareImpact(name, text, file, null);
  for (const law of laws) await compareImpact(name, text, file, law);
}
console.log(`impacts: ${impacts.compared} compared, ${impacts.same} equal in every digit, ${impacts.refused} refused by both`);
for (const kind of ["unique", "others"]) console.log(`  ${kind}: the largest difference is ${impacts[kind].worst.toExponential(1)} (${impacts[kind].place})`);

// Runs. Impacts amplify differences of the last digit; these scenes have few enough of them, or forget.
const scenes = {
  newtons_cradle: 1e-7, bouncing_ball: 1e-9, impact_pendulum: 1e-9, bernoulli: 1e-9, rocking_block: 1e-9, rocking_rod: 1e-9,
  tennis_and_basketball: 1e-9, tapered_chain: 1e-9, chain_of_beads: 1e-9, penalty_ball: 1e-9, four_bar: 1e-9, table: 1e-6, stack: 1e-6,
};
const names = table ? readdirSync(scenesFolder).filter((name) => name.endsWith(".toml")).map((name) => basename(name, ".toml")) : Object.keys(scenes);
for (const name of names) {
  const out = join(work, name), text = readFileSync(join(scenesFolder, `${name}.toml`), "utf8");
  const first = performance.now();
  await native("run", join(scenesFolder, `${name}.toml`), "--quiet", "--out", out);
  const its = JSON.parse(readFileSync(join(out, "summary.json"), "utf8")), second = performance.now();
  const answer = core.answer("run", { scene: text }), third = performance.now();
  if (!expect(answer.ok, `${name}: ${answer.error?.message}`)) continue;
  const mine = answer.summary, parts = ["kinetic", "potential", "stored", "dissipated_impacts", "dissipated_dampers", "dissipated_slip"];
  const found = difference(parts.map((key) => its.energy[key]), parts.map((key) => mine.energy[key]));
  console.log(`${name}: ${mine.impacts} impacts here, ${its.impacts} there; energies differ by ${found.toExponential(1)}; ${((third - second) / 1e3).toFixed(2)} s here, ${((second - first) / 1e3).toFixed(2)} s there`);
  if (!(name in scenes)) continue;
  expect(mine.impacts === its.impacts, `${name}: as many impacts`);
  expect(found <= scenes[name], `${name}: energies differ by ${found}`);
}

if (failures.length) {
  console.error(`${failures.length} differences`);
  process.exitCode = 1;
} else console.log("core: as the tool");
