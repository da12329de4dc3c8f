// Makes the static site: node site.mjs --modules NODE_MODULES --core FOLDER --out FOLDER
// of the scenes, the documentation, the laboratory's page and the core in FOLDER (carom.js, carom.wasm).
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { bundler, drawing, here, option, pages } from "./bundle.mjs";
import { guidePages } from "./guide.mjs";
import { loadCore } from "./node_core.mjs";
import { escaped, frame } from "./site_frame.mjs";

const modules = option("modules", join(here, "node_modules")), core = option("core", join(here, "../build/wasm"));
const target = option("out", join(here, "../build/site")), tree = join(here, "..");
const { bundle, makePage } = bundler(modules);

const marker = "carom-site.txt", ours = "A site made by carom site; the next one made here takes its place.\n";
if (existsSync(target) && readdirSync(target).length > 0 && !existsSync(join(target, marker))) {
  console.error(`--out: ${target} is a folder with other files in it; a site needs an empty one, or one with an older site`);
  process.exit(2);
}

// Made beside its place; an older site goes only when this one is whole.
mkdirSync(dirname(target), { recursive: true });
const out = mkdtempSync(`${target}.`);
process.on("exit", () => rmSync(out, { recursive: true, force: true }));
const written = [];
const write = (name, text) => {
  mkdirSync(dirname(join(out, name)), { recursive: true });
  writeFileSync(join(out, name), text);
  written.push(name);
};

/** The scenes that the core accepts, and the files that they name. */
const folder = join(tree, "scenes"), names = readdirSync(folder).sort();
const files = Object.fromEntries(
  names.filter((name) => /\.(csv|obj|stl)$/.test(name)).map((name) => [name, readFileSync(join(folder, name), "utf8")]));
const carom = await loadCore(core, files);
const isScene = (text) => carom.answer("check", { scene: text });
const scenes = names.filter((name) => name.endsWith(".toml")).map((file) => {
  const text = readFileSync(join(folder, file), "utf8"), name = file.replace(/\.toml$/, ""), found = isScene(text);
  if (!found.ok) {
    console.error(`scenes/${file}: ${found.error.message}`);
    process.exit(3);
  }
  const { title, about } = found.start.run;
  return { name, title: title || name, about, text };
});

writeFileSync(join(out, marker), ours);

const first = ["newtons_cradle", "dominoes", "box_of_spheres", "card_house", "tennis_and_basketball", "gas"];
const place = ({ name }) => (first.includes(name) ? first.indexOf(name) : first.length);
const cards = [...scenes].sort((a, b) => place(a) - place(b)).map(({ name, title, about }) => `
  <article class="card" data-scene="${escaped(name)}">
    <a class="picture" href="lab.html?scene=${encodeURIComponent(name)}" aria-label="${escaped(title)}, in the laboratory"></a>
    <div class="words">
      <h2><a href="lab.html?scene=${encodeURIComponent(name)}">${escaped(title)}</a></h2>
      <p>${escaped(about)}</p>
      <p class="state" role="status"></p>
    </div>
  </article>`).join("");
const gallery = `
<section class="hero">
  <h1>What happens when bodies collide</h1>
  <p>Carom computes impacts in multibody systems: every law of the literature, one interface, a certificate on every answer.
  The scenes below are not films. Your browser computes each of them as you look at it.</p>
  <p class="ways"><a class="button accent" href="lab.html">Open the laboratory</a> <a class="button" href="guide/guide.html">Read the guide</a></p>
</section>
<main class="gallery">${cards}</main>
<footer><p>${scenes.length} scenes. Everything runs in this page; nothing is sent anywhere.</p></footer>`;
write("index.html", frame({ root: "", title: "Carom", current: "index.html", content: gallery, page: "start" }));

for (const { file, title, content } of guidePages(join(tree, "docs"), { modules, isScene: (text) => isScene(text).ok, scenes: scenes.map(({ name }) => name) }))
  write(`guide/${file}`, frame({ root: relative(dirname(file), ".").replace(/^$/, ".") + "/../", title: `${title} – Carom`, current: "guide/guide.html", content, page: "guide" }));
cpSync(join(tree, "docs/pictures"), join(out, "guide/pictures"), { recursive: true });
written.push(...readdirSync(join(out, "guide/pictures")).map((name) => `guide/pictures/${name}`));

const lab = (await makePage(pages.find(({ name }) => name === "lab_page")))
  .replace("<!-- core -->", '<meta name="carom-core" content="wasm">')
  .replace("<b>Carom</b>", '<a href="index.html"><b>Carom</b></a>');
write("lab.html", lab);
write("site.js", `/* ${drawing} */\n${await bundle("site/main.ts")}`);
write("site.css", await bundle("site/site.css"));
write("scenes.js", `self.caromScenes=${JSON.stringify(scenes)};self.caromFiles=${JSON.stringify(files)};`);
const worker = `${readFileSync(join(core, "carom.js"), "utf8")}\n${await bundle("lab/worker.ts")}`;
write("worker.js", worker);
copyFileSync(join(core, "carom.wasm"), join(out, "carom.wasm"));
written.push("carom.wasm");

const kept = [...written].sort(), hash = createHash("sha256");
for (const name of kept) hash.update(name).update(readFileSync(join(out, name)));
const site = { version: hash.digest("hex").slice(0, 16), files: ["./", ...kept] };
write("offline.js", `self.caromSite=${JSON.stringify(site)};\n${await bundle("site/offline.ts")}`);
// from a disk only, where it stands for the two files above
const code = readFileSync(join(core, "carom.wasm")).toString("base64");
write("from_disk.js", `self.caromCore=${JSON.stringify({ script: worker, code })};`);
chmodSync(out, 0o755);
rmSync(target, { recursive: true, force: true });
renameSync(out, target);
console.log(`${target}: ${scenes.length} scenes, ${written.filter((name) => name.startsWith("guide/") && name.endsWith(".html")).length} pages of the guide`);
