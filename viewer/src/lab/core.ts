// Who computes: the server that sent the page, or the same code as WebAssembly. The page itself knows no mechanics.

import type { Report, WordTable } from "../data";

export type Value = number | string | boolean | Value[];

export interface Field {
  name: string;
  meaning?: string;
  default?: Value | null;
  unit?: string;
  type?: string;
  words?: string[];
}
export interface Choice {
  name: string;
  about?: string;
  limits?: string;
  source?: string;
  fields?: Field[];
}
export interface Description {
  version: string;
  laws: Choice[];
  schemes: Choice[];
}
/** A value that the scene's text states, or a default that it could state. */
export interface Key {
  path: string;
  value: Value | null;
  line?: number;
  column?: number;
  unit?: string;
  meaning?: string;
  type?: string;
  words?: string[]; // one of these
}
export interface Checked {
  check: { hints?: string[]; mobility?: number; [name: string]: unknown };
  start: Report;
  paths: (string | null)[];
  positions?: (number[] | null)[];
  keys: Key[];
}
export interface Change {
  path: string;
  value: Value | null;
}
export interface RunRequest {
  scene: string;
  name?: string; // of its file
  law?: string;
  set?: string[];
}
export interface RunAnswer {
  report: Report;
  summary?: unknown;
  text: string;
}
export interface CompareRequest {
  scene: string;
  name?: string;
  laws: string[];
}
export interface CompareAnswer {
  reports: Report[];
  text: string;
  table?: WordTable;
  sentences?: string[];
  comparison?: unknown;
}
export interface Progress {
  t: number;
  duration: number;
  impacts?: number;
  law?: string;
}
export interface SceneEntry {
  name: string;
  title: string;
  about: string;
}

/** What is wrong, and where in the scene's text (from 1) where that is known. */
export class CoreError extends Error {
  constructor(message: string, readonly line?: number, readonly column?: number, readonly place?: string) {
    super(message);
  }
}

/** Every question ends in an answer or in a CoreError; a cancelled one in a DOMException named AbortError. */
export interface Core {
  describe(): Promise<Description>;
  check(scene: string): Promise<Checked>;
  edit(scene: string, set: Change[]): Promise<string>;
  run(request: RunRequest, onProgress: (progress: Progress) => void, signal: AbortSignal): Promise<RunAnswer>;
  compare(request: CompareRequest, onProgress: (progress: Progress) => void, signal: AbortSignal): Promise<CompareAnswer>;
  impact(problem: unknown, law?: string): Promise<unknown>;
  scenes(): Promise<SceneEntry[]>;
  scene(name: string): Promise<string>;
}

type Answer<T> = ({ ok: true } & T) | { ok: false; error: { message: string; line?: number; column?: number; place?: string } };

/** The answer without its wrapping. */
export function unwrap<T>(answer: Answer<T>): T {
  if (answer?.ok) return answer;
  const error = answer?.error;
  throw new CoreError(error?.message ?? "There is no answer.", error?.line, error?.column, error?.place);
}

/** The lines of a stream as they come. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader(), decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    rest += decoder.decode(value, { stream: !done });
    const lines = rest.split("\n");
    rest = done ? "" : lines.pop()!;
    for (const line of lines) if (line.trim()) yield line;
    if (done) return;
  }
}

/** A core whose questions all go the same way. */
export abstract class AskingCore implements Core {
  protected abstract ask<T>(verb: string, body: object): Promise<T>;
  protected abstract watch<T>(verb: string, body: object, onProgress: (progress: Progress) => void, signal: AbortSignal): Promise<T>;
  abstract scenes(): Promise<SceneEntry[]>;
  abstract scene(name: string): Promise<string>;

  describe() {
    return this.ask<Description>("describe", {});
  }
  check(scene: string) {
    return this.ask<Checked>("check", { scene });
  }
  async edit(scene: string, set: Change[]) {
    return (await this.ask<{ scene: string }>("edit", { scene, set })).scene;
  }
  run(request: RunRequest, onProgress: (progress: Progress) => void, signal: AbortSignal) {
    return this.watch<RunAnswer>("run", request, onProgress, signal);
  }
  compare(request: CompareRequest, onProgress: (progress: Progress) => void, signal: AbortSignal) {
    return this.watch<CompareAnswer>("compare", request, onProgress, signal);
  }
  async impact(problem: unknown, law?: string) {
    return (await this.ask<{ outcome: unknown }>("impact", { problem, law })).outcome;
  }
}

/** Asks the server that the page came from. */
export class ServerCore extends AskingCore {
  private async fetch(path: string, settings?: RequestInit): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(path, settings);
    } catch (error) {
      if ((error as Error).name === "AbortError") throw error;
      throw new CoreError("The server does not answer. Is carom serve still running?");
    }
    if (response.ok) return response;
    const text = await response.text();
    try {
      const { error } = JSON.parse(text);
      if (error?.message) throw new CoreError(error.message, error.line, error.column, error.place);
    } catch (error) {
      if (error instanceof CoreError) throw error;
    }
    if (response.status === 503) throw new CoreError("The server is busy with other runs. Try again in a moment.");
    if (response.status === 413) throw new CoreError("The scene is too long for the server.");
    throw new CoreError(`The server answers ${response.status} ${response.statusText}.`);
  }
  private post(verb: string, body: object, signal?: AbortSignal): Promise<Response> {
    return this.fetch(`api/${verb}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal });
  }
  protected async ask<T>(verb: string, body: object): Promise<T> {
    return unwrap<T>(await (await this.post(verb, body)).json());
  }
  protected async watch<T>(verb: string, body: object, onProgress: (progress: Progress) => void, signal: AbortSignal): Promise<T> {
    const response = await this.post(verb, body, signal);
    for await (const line of linesOf(response.body!)) {
      const said = JSON.parse(line);
      if (said.progress) onProgress(said.progress);
      else if (said.result) return unwrap<T>(said.result);
      else if (said.ok !== undefined) return unwrap<T>(said);
    }
    throw new CoreError("The server ended before the run did.");
  }

  async scenes() {
    return ((await (await this.fetch("api/scenes")).json()) as { scenes: SceneEntry[] }).scenes;
  }
  async scene(name: string) {
    return (await this.fetch(`api/scenes/${encodeURIComponent(name)}`)).text();
  }
}
