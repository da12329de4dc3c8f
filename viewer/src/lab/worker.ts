// The worker that holds the core as WebAssembly: it is told its code once, and then answers one question after another.

import type { Progress } from "./core";

/** What the page sends: the code first, then questions. */
export type ToWorker = { code: WebAssembly.Module } | { id: number; verb: string; body: string };
/** What comes back: words while it works, and one end for each question. */
export type FromWorker = { id: number } & ({ progress: Progress } | { answer: string } | { broken: string });

interface Carom {
  _malloc(size: number): number;
  _free(at: number): void;
  _carom_answer(verb: number, body: number): number;
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

function start(code: WebAssembly.Module): void {
  core = makeCarom({
    instantiateWasm: (imports, ready) => {
      void WebAssembly.instantiate(code, imports).then(ready);
      return {};
    },
    progress: (progress) => send({ id: asked, progress }),
  });
}

function place(carom: Carom, text: string): number {
  const size = carom.lengthBytesUTF8(text) + 1, at = carom._malloc(size);
  carom.stringToUTF8(text, at, size);
  return at;
}

function ask(carom: Carom, verb: string, body: string): string {
  const places = [place(carom, verb), place(carom, body)], at = carom._carom_answer(places[0], places[1]);
  const answer = carom.UTF8ToString(at);
  carom._carom_release(at);
  places.forEach((one) => carom._free(one));
  return answer;
}

self.onmessage = async ({ data }: MessageEvent<ToWorker>) => {
  if ("code" in data) return start(data.code);
  const { id, verb, body } = data;
  try {
    const carom = await core;
    asked = id;
    send({ id, answer: ask(carom, verb, body) });
  } catch (error) {
    send({ id, broken: String((error as Error)?.message ?? error) });
  }
};
