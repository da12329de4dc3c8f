// The documentation as pages: Markdown becomes HTML, links between files links between pages, and scenes get a button.
import { createRequire } from "node:module";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { escaped } from "./site_frame.mjs";

const inside = ["architecture.md", "notation.md"], first = ["guide.md", "scenes.md", "simulation.md"];

const pageOf = (file) => file.replace(/README\.md$/, "index.html").replace(/\.md$/, ".html");
const slug = (text) => text.toLowerCase().replace(/[^\w\- ]/g, "").trim().replace(/ /g, "-");
const titleOf = (text, file) => (/^# (.+)$/m.exec(text)?.[1] ?? file).replaceAll("`", "");

/** All files, in the order in which they are to be read. */
function filesOf(docs) {
  const ofFolder = (folder) => readdirSync(join(docs, folder)).filter((name) => name.endsWith(".md")).sort().map((name) => posix.join(folder, name));
  const top = ofFolder("."), laws = ofFolder("laws").sort((a, b) => a.endsWith("README.md") ? -1 : b.endsWith("README.md") ? 1 : 0);
  const use = [...first.filter((one) => top.includes(one)), ...top.filter((one) => !first.includes(one) && !inside.includes(one))];
  return [["Using Carom", use], ["Laws of impact", laws], ["Inside Carom", inside.filter((one) => top.includes(one))]];
}

/** Where a link of `file` leads: an address, or null where the site has nothing of the kind. */
function addressOf(href, file, known, scenes) {
  if (/^(https?:|mailto:|#)/.test(href)) return href;
  const [path, hash] = href.split("#"), target = posix.normalize(posix.join(posix.dirname(file), path));
  const back = posix.relative(posix.dirname(file), ".") || ".";
  const scene = /^\.\.\/scenes\/(\w+)\.toml$/.exec(target);
  if (scene && scenes.includes(scene[1])) return `${back}/../lab.html?scene=${scene[1]}`;
  if (known.includes(target)) return pageOf(posix.relative(posix.dirname(file), target)) + (hash ? `#${hash}` : "");
  return target.startsWith("pictures/") ? href : null;
}

function example(text, root) {
  return `<figure class="example"><pre><code>${escaped(text)}</code></pre>
<figcaption><button type="button" class="accent">Run</button> <a href="${root}lab.html">Open in the laboratory</a></figcaption>
<div class="running" hidden></div></figure>\n`;
}

function renderer(modules, { isScene }) {
  const markdown = createRequire(join(modules, "any.js"))("markdown-it")({ html: false, linkify: false });
  const rules = markdown.renderer.rules;
  rules.fence = (tokens, i, options, env) => {
    const { info, content } = tokens[i];
    return info.trim() === "toml" && isScene(content) ? example(content, env.root) : `<pre><code>${escaped(content)}</code></pre>\n`;
  };
  rules.heading_open = (tokens, i) => `<${tokens[i].tag} id="${slug(tokens[i + 1].content)}">`;
  // a table is called after the heading that it stands below
  rules.table_open = (tokens, i) => {
    let at = i;
    while (at > 0 && tokens[at].type !== "heading_open") --at;
    const name = tokens[at].type === "heading_open" ? tokens[at + 1].content.replace(/[`*]/g, "") : "Table";
    return `<div class="scroll"><table aria-label="${escaped(name)}">\n`;
  };
  rules.table_close = () => "</table></div>\n";
  rules.link_open = (tokens, i, options, env, self) => {
    const address = env.addressOf(tokens[i].attrGet("href"));
    env.dropped.push(address === null);
    if (address === null) return "<span>";
    tokens[i].attrSet("href", address);
    return self.renderToken(tokens, i, options);
  };
  rules.link_close = (tokens, i, options, env) => (env.dropped.pop() ? "</span>" : "</a>");
  return markdown;
}

/** {file, title, content} of every page, below the guide's folder. */
export function guidePages(docs, { modules, isScene, scenes }) {
  const markdown = renderer(modules, { isScene }), groups = filesOf(docs), known = groups.flatMap(([, files]) => files);
  const texts = new Map(known.map((file) => [file, readFileSync(join(docs, file), "utf8")]));
  const contents = (now) => groups.map(([name, files]) => `<h2>${name}</h2><ul>${files.map((file) =>
    `<li><a href="${pageOf(posix.relative(posix.dirname(now), file))}"${file === now ? ' aria-current="page"' : ""}>${escaped(titleOf(texts.get(file), file))}</a></li>`).join("")}</ul>`).join("");
  return known.map((file) => {
    const root = (posix.relative(dirname(file), ".") || ".") + "/../";
    const body = markdown.render(texts.get(file), { root, dropped: [], addressOf: (href) => addressOf(href, file, known, scenes) });
    const content = `<div class="guide">
<details class="contents" open><summary>Contents</summary><nav aria-label="Guide">${contents(file)}</nav></details>
<main>${body}</main>
</div>`;
    return { file: pageOf(file), title: titleOf(texts.get(file), file), content };
  });
}
