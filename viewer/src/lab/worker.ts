// The worker that holds the core as WebAssembly: it is told its code once, and then answers one question after another.

import type { Progress } from "./core";

/** What the page sends: the code first, then questions. */
export type ToWorker = { code: WebAssembly.Module; files: Record<string, string> } | { id: number; verb: string; body: string; seconds: number };
/** What comes back: words while it works, and one end for each question. */
export type FromWorker = { id: number } & ({ progress: Progress } | { answer: string } | { broken: string });

interface Carom {
  _malloc(size: number): number;
  _free(at: number): void;
  _carom_answer(verb: number, body: number, seconds: number): number;
  _carom_add_file(name: number, text: number): void;
  _carom_release(at: number): void;
  stringToUTF8(text: string, at: number, size: number): void;
  lengthBytesUTF8(text: string): number;
  UTF8ToString(at: number): string;
}
interface Settings {
  instantiateWasm(imports: WebAssembly.Imports, ready: (instance: WebAssembly.Instance) => void): object;
  progress(now: Progress): void;
}
// carom.js, which stands before this in the worker's script
declare const makeCarom: (settings: Settings) => Promise<Carom>;

const send = (message: FromWorker) => (self as unknown as { postMessage(message: FromWorker): void }).postMessage(message);

let core: Promise<Carom>, asked = 0;

async function start(code: WebAssembly.Module, files: Record<string, string>): Promise<Carom> {
  const carom = await makeCarom({
    instantiateWasm: (imports, ready) => {
      void WebAssembly.instantiate(code, imports).then(ready);
      return {};
    },
    progress: (progress) => send({ id: asked, progress }),
  });
  for (const [name, text] of Object.entries(files)) withTexts(carom, [name, text], ([a, b]) => carom._carom_add_file(a, b));
  return carom;
}

/** Texts lie in the core's memory while something is done with them. */
function withTexts<T>(carom: Carom, texts: string[], act: (places: number[]) => T): T {
  const places = texts.map((text) => {
    const size = carom.lengthBytesUTF8(text) + 1, at = carom._malloc(size);
    carom.stringToUTF8(text, at, size);
    return at;
  });
  const result = act(places);
  places.forEach((one) => carom._free(one));
  return result;
}

function ask(carom: Carom, verb: string, body: string, seconds: number): string {
  const at = withTexts(carom, [verb, body], ([a, b]) => carom._carom_answer(a, b, seconds)), answer = carom.UTF8ToString(at);
  carom._carom_release(at);
  return answer;
}

self.onmessage = async ({ data }: MessageEvent<ToWorker>) => {
  if ("code" in data) {
    core = start(data.code, data.files);
    return;
  }
  const { id, verb, body, seconds } = data;
  try {
    const carom = await core;
    asked = id;
    send({ id, answer: ask(carom, verb, body, seconds) });
  } catch (error) {
    send({ id, broken: String((error as Error)?.message ?? error) });
  }
};
