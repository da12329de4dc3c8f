// What the makers of pages share: sources of src/ become one script or style each, and pages with everything in them.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const here = dirname(fileURLToPath(import.meta.url));

/** A path given on the command line as --name PATH. */
export const option = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`);
  return resolve(at < 0 ? otherwise : process.argv[at + 1]);
};

// Licences ask for their notice to be kept.
export const drawing = "three.js, Copyright 2010 three.js authors, MIT. uPlot, Copyright Leon Sorokin, MIT.";
const writing = "CodeMirror and Lezer, Copyright Marijn Haverbeke and others, MIT.";

export const pages = [
  { name: "report_page", file: "page.html", page: "page.html", script: "main.ts", style: "style.css", notices: drawing },
  { name: "lab_page", file: "lab.html", page: "lab/lab.html", script: "lab/main.ts", style: "lab/lab.css", notices: `${drawing} ${writing}` },
];

/** With the packages of a folder node_modules. */
export function bundler(modules) {
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

  /** One page with everything in it. */
  const makePage = async ({ page, script, style, notices }) => {
    const code = (await bundle(script)).replaceAll("</script", "<\\/script"), looks = await bundle(style);
    return readFileSync(join(here, "src", page), "utf8")
      .replace("<!-- style -->", () => `<style>${looks}</style>`)
      .replace("<!-- script -->", () => `<script>/* ${notices} */\n${code}</script>`);
  };

  return { bundle, makePage };
}
