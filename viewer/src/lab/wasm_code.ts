// Where the pages of a static site find the core: beside them. From a disk, where browsers let no page fetch its
// neighbours, scripts with everything in them stand for the files.

import { CoreError, type SceneEntry } from "./core";

export interface SiteScene extends SceneEntry {
  text: string;
}
interface Site {
  caromScenes?: SiteScene[];
  caromCore?: { script: string; code: string }; // the code in base64
}
const site = self as unknown as Site;

const missing = "A part of this site is missing; is the copy complete?";

/** The folder of the site, seen from the page: what its meta element says. */
function root(): string {
  const said = document.querySelector<HTMLMetaElement>('meta[name="carom-core"]')?.dataset.root ?? "";
  return new URL(said || ".", document.baseURI).href;
}

const scripts = new Map<string, Promise<void>>();
function loadScript(name: string): Promise<void> {
  const known = scripts.get(name);
  if (known) return known;
  const loading = new Promise<void>((done, failed) => {
    const script = document.createElement("script");
    script.src = new URL(name, root()).href;
    script.onload = () => done();
    script.onerror = () => failed(new CoreError(missing));
    document.head.append(script);
  });
  scripts.set(name, loading);
  return loading;
}

export async function siteScenes(): Promise<SiteScene[]> {
  if (!site.caromScenes) await loadScript("scenes.js");
  return site.caromScenes!;
}

/** The code, and how to start a worker for it. */
export interface WasmCode {
  code: WebAssembly.Module;
  makeWorker(): Worker;
}

async function fetched(): Promise<WasmCode> {
  const answer = await fetch(new URL("carom.wasm", root()).href).catch(() => null);
  if (!answer?.ok) throw new CoreError(missing);
  const code = await WebAssembly.compile(await answer.arrayBuffer());
  return { code, makeWorker: () => new Worker(new URL("worker.js", root()).href) };
}

async function embedded(): Promise<WasmCode> {
  if (!site.caromCore) await loadScript("from_disk.js");
  const { script, code } = site.caromCore!;
  const bytes = Uint8Array.from(atob(code), (letter) => letter.charCodeAt(0));
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  return { code: await WebAssembly.compile(bytes), makeWorker: () => new Worker(address) };
}

let loading: Promise<WasmCode> | null = null;
/** Once a page. */
export function wasmCode(): Promise<WasmCode> {
  loading ??= location.protocol === "file:" ? embedded() : fetched();
  return loading;
}
