// Makes the pages: node build.mjs --modules NODE_MODULES --out FOLDER
// writes FOLDER/page.html (of report.html) and FOLDER/lab.html (the laboratory), and FOLDER/report_page.cpp and
// FOLDER/lab_page.cpp, which have them as texts for the tool.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundler, here, option, pages } from "./bundle.mjs";

const out = option("out", join(here, "../build/viewer"));
const { makePage } = bundler(option("modules", join(here, "node_modules")));

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

mkdirSync(out, { recursive: true });
for (const one of pages) {
  const page = await makePage(one);
  writeFileSync(join(out, one.file), page);
  writeFileSync(join(out, `${one.name}.cpp`), pageSource(one.name, page));
}
