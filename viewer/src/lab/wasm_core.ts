// The core as WebAssembly, in workers of the page.

import { AskingCore, CoreError, unwrap, type Progress, type RunAnswer, type SceneEntry } from "./core";
import { siteFiles, siteScenes, wasmCode } from "./wasm_code";
import type { FromWorker, ToWorker } from "./worker";

interface Question {
  verb: string;
  body: string;
  seconds: number; // after which a run ends with what there is; 0: when it is done
  onProgress: (progress: Progress) => void;
  done: (answer: string) => void;
  failed: (error: Error) => void;
}

/** A worker and the questions that wait for it. What is cancelled while it works ends the worker; the next question
 * starts another. */
class Helper {
  private readonly waiting: Question[] = [];
  private now: Question | null = null;
  private worker: Worker | null = null;
  private id = 0;

  ask(verb: string, body: string, onProgress: (progress: Progress) => void = () => {}, signal?: AbortSignal, seconds = 0): Promise<string> {
    return new Promise((done, failed) => {
      const question = { verb, body, seconds, onProgress, done, failed };
      if (signal?.aborted) return failed(signal.reason);
      signal?.addEventListener("abort", () => this.cancel(question, signal.reason), { once: true });
      this.waiting.push(question);
      void this.next();
    });
  }

  private async next(): Promise<void> {
    if (this.now || !this.waiting.length) return;
    const question = this.waiting.shift()!;
    this.now = question;
    try {
      const worker = this.worker ?? (await this.start());
      if (this.now !== question) return; // cancelled meanwhile
      const { verb, body, seconds } = question;
      worker.postMessage({ id: ++this.id, verb, body, seconds } satisfies ToWorker);
    } catch (error) {
      this.end(question, () => question.failed(error as Error));
    }
  }

  private async start(): Promise<Worker> {
    const [{ code, makeWorker }, files] = await Promise.all([wasmCode(), siteFiles()]), worker = makeWorker();
    this.worker?.terminate();
    this.worker = worker;
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.hear(data);
    worker.onerror = (event) => this.breakDown(event.message);
    worker.postMessage({ code, files } satisfies ToWorker);
    return worker;
  }

  private hear(said: FromWorker): void {
    const question = this.now;
    if (!question || said.id !== this.id) return;
    if ("progress" in said) question.onProgress(said.progress);
    else if ("answer" in said) this.end(question, () => question.done(said.answer));
    else this.breakDown(said.broken);
  }

  private end(question: Question, tell: () => void): void {
    if (this.now === question) this.now = null;
    tell();
    void this.next();
  }
  /** A worker that failed may have anything in its memory. */
  private breakDown(why: string): void {
    this.stop();
    const question = this.now, memory = /memory|allocat|out of bounds/i.test(why);
    if (question) this.end(question, () => question.failed(new CoreError(memory ? "This needs more memory than the browser gives." : `The core failed: ${why}`)));
  }
  private stop(): void {
    this.worker?.terminate();
    this.worker = null;
  }
  private cancel(question: Question, reason: Error): void {
    const at = this.waiting.indexOf(question);
    if (at >= 0) {
      this.waiting.splice(at, 1);
      question.failed(reason);
    } else if (this.now === question) {
      this.stop();
      this.end(question, () => question.failed(reason));
    }
  }
}

/** Short questions do not wait for runs. */
export class WasmCore extends AskingCore {
  private readonly quick = new Helper();
  private readonly long = new Helper();

  protected async ask<T>(verb: string, body: object): Promise<T> {
    return unwrap<T>(JSON.parse(await this.quick.ask(verb, JSON.stringify(body))));
  }
  protected async watch<T>(verb: string, body: object, onProgress: (progress: Progress) => void, signal: AbortSignal): Promise<T> {
    return unwrap<T>(JSON.parse(await this.long.ask(verb, JSON.stringify(body), onProgress, signal)));
  }

  /** A run for a picture: after some seconds of work it ends with what there is. */
  async glance(scene: string, seconds: number, signal?: AbortSignal): Promise<RunAnswer> {
    return unwrap<RunAnswer>(JSON.parse(await this.long.ask("run", JSON.stringify({ scene }), () => {}, signal, seconds)));
  }

  async scenes(): Promise<SceneEntry[]> {
    return (await siteScenes()).map(({ name, title, about }) => ({ name, title, about }));
  }
  async scene(name: string) {
    const found = (await siteScenes()).find((one) => one.name === name);
    if (!found) throw new CoreError(`There is no scene ${name} here.`);
    return found.text;
  }
}
