// The core as WebAssembly in node, for the makers of the site and for tests.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** From the folder that has carom.js and carom.wasm; `files` (name: text) are those that scenes may name. */
export async function loadCore(folder, files = {}) {
  const makeCarom = createRequire(import.meta.url)(resolve(folder, "carom.js"));
  const carom = await makeCarom({ wasmBinary: readFileSync(join(folder, "carom.wasm")) });
  const placed = (text) => {
    const size = carom.lengthBytesUTF8(text) + 1, at = carom._malloc(size);
    carom.stringToUTF8(text, at, size);
    return at;
  };
  const withTexts = (texts, act) => {
    const places = texts.map(placed), result = act(...places);
    places.forEach((at) => carom._free(at));
    return result;
  };
  for (const [name, text] of Object.entries(files)) withTexts([name, text], carom._carom_add_file);
  return {
    answer(verb, body, seconds = 0) {
      const at = withTexts([verb, JSON.stringify(body)], (a, b) => carom._carom_answer(a, b, seconds));
      const text = carom.UTF8ToString(at);
      carom._carom_release(at);
      return JSON.parse(text);
    },
  };
}
