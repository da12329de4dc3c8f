// The laboratory: one text, a form and a picture that change it, and runs of it.

import { setUpTheme } from "../theme";
import { CoreError, ServerCore, type Change, type Checked, type Core, type Description, type SceneEntry } from "./core";
import { Comparing, Gallery } from "./dialogs";
import { Editor } from "./editor";
import { chosen, Form } from "./form";
import { recall, remember } from "./memory";
import { byId, download, element, say } from "./page";
import { lawOf, Results } from "./results";
import { Running } from "./running";
import { hashOf, sharedOf, type Shared } from "./share";
import { StartView } from "./start_view";
import { WasmCore } from "./wasm_core";
import { wholeKeys } from "./whole_keys";

const pause = 250; // [ms] after the last letter, before the text is checked
const firstScene = "newtons_cradle";

class Laboratory {
  private readonly editor = new Editor(byId("text"));
  private readonly form = new Form(byId("form"), (changes) => void this.change(changes));
  private readonly start = new StartView(byId("start-view"), {
    move: (path, value) => this.tryChange({ path, value }),
    say,
    select: (path) => path && this.form.reveal(path),
  });
  private readonly results = new Results(byId("views"), byId("start-view"), byId("result-view"));
  private readonly running = new Running();
  private readonly gallery = new Gallery((name) => void this.openScene(name));
  private readonly comparing = new Comparing((laws) => void this.compare(laws));
  private description: Description = { version: "", laws: [], schemes: [] };
  private entries: SceneEntry[] = [];
  private checked: Checked | null = null; // of the last text that could be read
  private checkedText = "";
  private name = "scene";
  private timer = 0;
  private edits: Promise<unknown> = Promise.resolve();
  private checks = 0;
  private linked = ""; // the text of the link in the address

  constructor(private readonly core: Core) {
    this.editor.onText = () => this.textChanged();
    this.running.onChange = () => this.showState();
    this.results.onShow = () => this.showState();
    this.listen();
  }

  async begin(): Promise<void> {
    const shared = await sharedOf(location.hash).catch((error: Error) => (say(error.message), null));
    [this.description, this.entries] = await Promise.all([this.core.describe(), this.core.scenes().catch(() => [])]);
    this.form.describe(this.description);
    const known = recall(), wish = new URLSearchParams(location.search).get("scene");
    this.showPanel(shared?.panel ?? known.panel ?? "form");
    if (shared) await this.restore(shared);
    else if (wish) {
      // what was written before is one step of undo away
      if (known.scene) this.editor.setText(known.scene, true);
      await this.openScene(wish);
    } else if (known.scene) await this.setScene(known.scene, known.name ?? "scene");
    else {
      const entry = this.entries.find((one) => one.name.replace(/\.toml$/, "") === firstScene) ?? this.entries[0];
      if (entry) await this.openScene(entry.name);
    }
    addEventListener("hashchange", () => void sharedOf(location.hash).then((next) => next && this.restore(next)).catch((error: Error) => say(error.message)));
  }

  // The text.

  private textChanged(): void {
    remember({ scene: this.editor.text, name: this.name });
    // who reloads the page finds what was written since, not what the link had
    if (location.hash && this.editor.text !== this.linked) history.replaceState(null, "", location.pathname);
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.check(), pause);
    this.showState();
  }

  private async setScene(text: string, name: string): Promise<void> {
    this.name = name.replace(/\.toml$/, "").replace(/[^\w.-]+/g, "_") || "scene";
    this.editor.setText(text, true);
    this.results.show(null);
    await this.check();
  }

  private async openScene(name: string): Promise<void> {
    try {
      await this.setScene(await this.core.scene(name), name);
      // from here on the text is what is remembered
      history.replaceState(null, "", location.pathname);
    } catch (error) {
      this.trouble(error);
    }
  }

  private async restore(shared: Shared): Promise<void> {
    if (shared.panel) this.showPanel(shared.panel);
    this.linked = shared.scene;
    await this.setScene(shared.scene, "shared");
    if (shared.camera) this.start.camera = shared.camera;
    if (shared.laws?.length) await this.compare(shared.laws);
    else if (shared.run) await this.run();
  }

  /** Reads the text anew; the last readable one stays in the form and in the picture where this one is not. */
  private async check(): Promise<boolean> {
    clearTimeout(this.timer);
    const text = this.editor.text, turn = ++this.checks;
    try {
      const checked = await this.core.check(text);
      if (turn !== this.checks) return false;
      this.accept(text, checked);
      return true;
    } catch (error) {
      if (turn === this.checks) this.trouble(error);
      return false;
    }
  }

  private accept(text: string, answer: Checked): void {
    const { law, scheme } = answer.start.run, keys = wholeKeys(answer.keys);
    if (chosen(keys, "scheme") === null) keys.unshift({ path: "scheme", value: scheme });
    if (chosen(keys, "law") === null && law) keys.unshift({ path: "law", value: law });
    const checked = { ...answer, keys };
    this.checked = checked;
    this.checkedText = text;
    this.trouble(null);
    this.form.show(checked.keys);
    this.start.show(checked);
    const { title, about } = checked.start.run;
    byId("scene-title").textContent = title || this.name;
    byId("scene-about").textContent = about;
    document.title = `${title || this.name} – Carom laboratory`;
    const hints = checked.check.hints ?? [];
    byId("hints").hidden = !hints.length;
    byId("hints").replaceChildren(...hints.map((one) => element("li", { textContent: one })));
    this.showState();
  }

  /** Says what is wrong, and marks it in the text. */
  private trouble(error: unknown): void {
    const box = byId("trouble");
    box.hidden = error === null;
    this.editor.mark([]);
    if (error === null) return;
    const { message, line, column } = error as CoreError;
    const where = line ? element("button", { type: "button", className: "small", textContent: `Line ${line}` }) : "";
    if (where)
      where.onclick = () => {
        this.showPanel("text");
        this.editor.goTo(line!, column);
      };
    box.replaceChildren(where, element("span", { textContent: message }));
    if (line) this.editor.mark([{ message, line, column }]);
  }

  /** Changes values in the text, one change after the other. */
  private change(changes: Change[]): Promise<void> {
    const work = this.edits.then(async () => {
      try {
        this.editor.setText(await this.core.edit(this.editor.text, changes));
        await this.check();
      } catch (error) {
        this.trouble(error);
      }
    });
    this.edits = work;
    return work;
  }

  /** Changes a value only where the scene stays one that can run; says why where it does not. */
  private tryChange(change: Change): Promise<string | null> {
    const work = this.edits.then(async () => {
      try {
        const text = await this.core.edit(this.editor.text, [change]), turn = ++this.checks;
        const checked = await this.core.check(text);
        if (turn !== this.checks) return "The scene has changed meanwhile.";
        this.editor.setText(text);
        clearTimeout(this.timer);
        this.accept(text, checked);
        return null;
      } catch (error) {
        return `Not there: ${(error as Error).message}`;
      }
    });
    this.edits = work;
    return work;
  }

  // Runs.

  private async run(): Promise<void> {
    await this.ready();
    const text = this.editor.text;
    if (this.checkedText !== text && !(await this.check())) return this.showTrouble();
    const keys = this.checked?.keys ?? [], law = lawOf(keys);
    try {
      this.showSide("bench");
      const answer = await this.running.run([law], (onProgress, signal) => this.core.run({ scene: text, name: `${this.name}.toml` }, onProgress, signal));
      if (answer) this.results.add({ kind: "run", laws: [law || answer.report.run.law], scene: text, keys, reports: [answer.report], text: answer.text });
    } catch (error) {
      this.trouble(error);
      this.showTrouble();
    }
  }

  private async compare(laws: string[]): Promise<void> {
    await this.ready();
    const text = this.editor.text;
    if (this.checkedText !== text && !(await this.check())) return this.showTrouble();
    try {
      this.showSide("bench");
      const answer = await this.running.run(laws, (onProgress, signal) => this.core.compare({ scene: text, name: `${this.name}.toml`, laws }, onProgress, signal));
      if (answer) this.results.add({ kind: "comparison", laws, scene: text, keys: this.checked?.keys ?? [], reports: answer.reports, text: answer.text, table: answer.table, sentences: answer.sentences });
    } catch (error) {
      this.trouble(error);
      this.showTrouble();
    }
  }

  /** A field that is still being written counts, too. */
  private async ready(): Promise<void> {
    const writing = document.activeElement as HTMLElement | null;
    if (writing instanceof HTMLInputElement && byId("form").contains(writing)) {
      writing.blur();
      writing.focus({ preventScroll: true });
    }
    await this.edits;
  }
  private showTrouble(): void {
    if (byId("trouble").hidden) return;
    this.showSide("scene");
    byId("trouble").scrollIntoView({ block: "nearest" });
  }

  // What is shown.

  private showState(): void {
    const now = this.results.now, isOld = now !== null && now.scene !== this.editor.text;
    byId("stale").hidden = !isOld;
    byId<HTMLButtonElement>("run").disabled = this.running.isRunning;
    byId<HTMLButtonElement>("compare").disabled = this.running.isRunning;
    this.results.draw(this.editor.text);
  }

  private showPanel(panel: "form" | "text"): void {
    for (const one of ["form", "text"] as const) {
      byId(one).hidden = one !== panel;
      byId(`tab-${one}`).setAttribute("aria-selected", String(one === panel));
      byId(`tab-${one}`).tabIndex = one === panel ? 0 : -1;
    }
    if (panel === "text") this.editor.measure();
    remember({ panel });
  }
  private get panel(): "form" | "text" {
    return byId("form").hidden ? "text" : "form";
  }

  /** On a phone there is room for one of the two. */
  private showSide(side: "scene" | "bench"): void {
    document.body.dataset.side = side;
    for (const one of ["scene", "bench"]) byId(`side-${one}`).setAttribute("aria-pressed", String(one === side));
    if (side === "scene") this.editor.measure();
  }

  private listen(): void {
    const on = (id: string, act: () => void) => (byId(id).onclick = act);
    on("run", () => void this.run());
    on("compare", () => this.comparing.open(this.description.laws, lawOf(this.checked?.keys ?? [])));
    on("pick-scene", () => this.gallery.open(this.entries));
    on("open-file", () => byId("file").click());
    on("save-file", () => this.save());
    on("share", () => void this.share());
    on("undo", () => this.editor.undo() || say("There is nothing to undo."));
    on("redo", () => this.editor.redo() || say("There is nothing to redo."));
    on("tab-form", () => this.showPanel("form"));
    on("tab-text", () => this.showPanel("text"));
    on("side-scene", () => this.showSide("scene"));
    on("side-bench", () => this.showSide("bench"));
    on("go-back", () => this.results.now && this.editor.setText(this.results.now.scene));
    for (const id of ["tab-form", "tab-text"])
      byId(id).onkeydown = (event) => {
        if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
        this.showPanel(this.panel === "form" ? "text" : "form");
        byId(`tab-${this.panel}`).focus();
      };
    byId<HTMLInputElement>("file").onchange = (event) => void this.openFile((event.target as HTMLInputElement).files?.[0]);
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      void this.openFile(event.dataTransfer?.files[0]);
    });
    document.addEventListener("keydown", (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      const isWriting = (event.target as HTMLElement).closest("input, .cm-editor") !== null;
      const acts: Record<string, () => void> = { Enter: () => void this.run(), s: () => this.save(), ...(isWriting ? {} : { z: () => (event.shiftKey ? this.editor.redo() : this.editor.undo()), y: () => this.editor.redo() }) };
      const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!act || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      act();
    });
  }

  private save(): void {
    download(this.editor.text, `${this.name}.toml`);
  }
  private async openFile(file: File | undefined): Promise<void> {
    byId<HTMLInputElement>("file").value = "";
    if (!file) return;
    if (file.size > 2_000_000) return say("This file is too long for a scene.");
    await this.setScene(await file.text(), file.name);
  }
  private async share(): Promise<void> {
    const now = this.results.now, isFresh = now !== null && now.scene === this.editor.text;
    const shared: Shared = { scene: this.editor.text, panel: this.panel };
    if (isFresh && now.kind === "run") shared.run = true;
    else if (isFresh) shared.laws = now.laws;
    else if (this.start.camera) shared.camera = this.start.camera;
    const hash = await hashOf(shared);
    this.linked = shared.scene;
    history.replaceState(null, "", hash);
    try {
      await navigator.clipboard.writeText(location.href);
      say("The link is copied. The whole scene is in it.");
    } catch {
      say("The link is in the address bar. The whole scene is in it.");
    }
  }
}

setUpTheme(byId("theme"));
const inBrowser = document.querySelector('meta[name="carom-core"][content="wasm"]') !== null;
new Laboratory(inBrowser ? new WasmCore() : new ServerCore())
  .begin()
  .catch((error: Error) => {
    byId("trouble").hidden = false;
    byId("trouble").textContent = error.message;
  })
  .finally(() => (document.documentElement.dataset.ready = "yes"));
