// Makes the pages: node build.mjs --modules NODE_MODULES --out FOLDER
// writes FOLDER/page.html (of report.html) and FOLDER/lab.html (the laboratory), and FOLDER/report_page.cpp and
// FOLDER/lab_page.cpp, which have them as texts for the tool.
import { createRequire } from "node:module";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const option = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`);
  return resolve(at < 0 ? otherwise : process.argv[at + 1]);
};
const modules = option("modules", join(here, "node_modules"));
const out = option("out", join(here, "../build/viewer"));
const esbuild = createRequire(join(modules, "any.js"))("esbuild");

const bundle = async (entry) => {
  const result = await esbuild.build({
    entryPoints: [join(here, "src", entry)],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: ["es2020"],
    charset: "utf8",
    legalComments: "none",
    nodePaths: [modules],
  });
  return result.outputFiles[0].text;
};

// Licences ask for their notice to be kept.
const drawing = "three.js, Copyright 2010 three.js authors, MIT. uPlot, Copyright Leon Sorokin, MIT.";
const writing = "CodeMirror and Lezer, Copyright Marijn Haverbeke and others, MIT.";

/** One page with everything in it. */
const makePage = async ({ page, script, style, notices }) => {
  const code = (await bundle(script)).replaceAll("</script", "<\\/script"), looks = await bundle(style);
  return readFileSync(join(here, "src", page), "utf8")
    .replace("<!-- style -->", () => `<style>${looks}</style>`)
    .replace("<!-- script -->", () => `<script>/* ${notices} */\n${code}</script>`);
};

// A text of C++ in pieces, in plain letters.
const escaped = (bytes) => {
  let text = "";
  for (const byte of bytes) {
    if (byte === 10) text += "\\n\"\n\"";
    else if (byte === 34 || byte === 92) text += "\\" + String.fromCharCode(byte);
    else if (byte < 32 || byte > 126 || byte === 63) text += "\\" + byte.toString(8).padStart(3, "0");
    else text += String.fromCharCode(byte);
  }
  return text;
};
const pageSource = (name, page) => `// Made of viewer/ by build.mjs.
#include "carom/record/${name}.h"

namespace carom::record {

std::string_view ${name}() {
  static const char page[] =
"${escaped(Buffer.from(page, "utf8"))}";
  return {page, sizeof page - 1};
}

}  // namespace carom::record
`;

const pages = [
  { name: "report_page", file: "page.html", page: "page.html", script: "main.ts", style: "style.css", notices: drawing },
  { name: "lab_page", file: "lab.html", page: "lab/lab.html", script: "lab/main.ts", style: "lab/lab.css", notices: `${drawing} ${writing}` },
];
mkdirSync(out, { recursive: true });
for (const one of pages) {
  const page = await makePage(one);
  writeFileSync(join(out, one.file), page);
  writeFileSync(join(out, `${one.name}.cpp`), pageSource(one.name, page));
}
