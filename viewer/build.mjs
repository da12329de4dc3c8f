// Makes the page of report.html: node build.mjs --modules NODE_MODULES --out FOLDER
// writes FOLDER/page.html, and FOLDER/report_page.cpp, which has it as a text for the tool.
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
const notices = "three.js, Copyright 2010 three.js authors, MIT. uPlot, Copyright Leon Sorokin, MIT.";
const script = (await bundle("main.ts")).replaceAll("</script", "<\\/script");
const style = await bundle("style.css");
const page = readFileSync(join(here, "src/page.html"), "utf8")
  .replace("<!-- style -->", () => `<style>${style}</style>`)
  .replace("<!-- script -->", () => `<script>/* ${notices} */\n${script}</script>`);

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
mkdirSync(out, { recursive: true });
writeFileSync(join(out, "page.html"), page);
writeFileSync(
  join(out, "report_page.cpp"),
  `// Made of viewer/ by build.mjs.
#include "carom/record/report_page.h"

namespace carom::record {

std::string_view report_page() {
  static const char page[] =
"${escaped(Buffer.from(page, "utf8"))}";
  return {page, sizeof page - 1};
}

}  // namespace carom::record
`,
);
