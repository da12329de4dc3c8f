// The last results, to go back to: a strip of tabs, the start first, and the view of the chosen one.

import { addFact } from "../header";
import type { Report, WordTable } from "../data";
import { element, number } from "../format";
import { mountComparison } from "../compare_view";
import { mountRun } from "../run_view";
import type { Key } from "./core";
import { chosen } from "./form";

export interface Result {
  kind: "run" | "comparison";
  laws: string[];
  scene: string; // the text that was run
  keys: Key[];
  reports: Report[];
  text: string; // what the tool says
  table?: WordTable; // of a comparison
  sentences?: string[];
}
interface Kept extends Result {
  id: number;
  label: string;
}

const mostKept = 8;

/** What differs from the result before, in a few words: "e 0.5". */
function difference(keys: Key[], before: Key[] | undefined): string {
  if (!before) return "";
  const old = new Map(before.map((key) => [key.path, JSON.stringify(key.value)]));
  const changed = keys.filter((key) => key.line && !/^(law|scheme)(\.name)?$/.test(key.path) && old.get(key.path) !== JSON.stringify(key.value));
  if (!changed.length) return "";
  const { path, value } = changed[0];
  const last = path.split(".").slice(-1)[0].replace(/_/g, " ");
  const shown = (one: unknown): string => (Array.isArray(one) ? `(${one.map(shown).join(", ")})` : typeof one === "number" ? number(one) : String(one));
  return `${last} ${shown(value)}${changed.length > 1 ? " …" : ""}`;
}

export class Results {
  private readonly kept: Kept[] = [];
  private shown: Kept | null = null; // nothing: the start
  private mounted: { destroy(): void } | null = null;
  private count = 0;
  onShow = () => {};

  constructor(private readonly strip: HTMLElement, private readonly start: HTMLElement, private readonly root: HTMLElement) {
    strip.addEventListener("keydown", (event) => {
      const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!way) return;
      event.preventDefault();
      event.stopPropagation();
      const all: (Kept | null)[] = [null, ...this.kept];
      this.show(all[(all.indexOf(this.shown) + way + all.length) % all.length]);
      strip.querySelector<HTMLElement>("[aria-selected=true]")?.focus();
    });
    this.draw();
  }

  get now(): Result | null {
    return this.shown;
  }

  add(result: Result): void {
    const last = this.kept[this.kept.length - 1];
    const law = result.kind === "run" ? result.laws[0] : result.laws.join(", ");
    const label = [law, difference(result.keys, last?.keys)].filter(Boolean).join(" · ");
    const kept = { ...result, id: ++this.count, label };
    this.kept.push(kept);
    if (this.kept.length > mostKept) this.kept.shift();
    this.show(kept);
  }

  show(result: Result | null): void {
    const kept = result as Kept | null;
    this.mounted?.destroy();
    this.mounted = null;
    this.shown = kept;
    this.start.hidden = kept !== null;
    this.root.hidden = kept === null;
    this.root.replaceChildren();
    this.draw();
    if (kept) this.mounted = mountResult(this.root, kept);
    this.onShow();
  }

  /** The tab of a result whose scene is no longer the text has a mark. */
  draw(text?: string): void {
    const tab = (kept: Kept | null, name: string) => {
      const isNow = kept === this.shown, old = kept !== null && text !== undefined && kept.scene !== text;
      const button = element("button", { type: "button", textContent: name, className: old ? "old" : "" });
      button.setAttribute("role", "tab");
      button.setAttribute("aria-selected", String(isNow));
      button.tabIndex = isNow ? 0 : -1;
      if (kept) button.title = old ? "The scene has changed since" : "";
      if (old) button.setAttribute("aria-label", `${name}, the scene has changed since`);
      button.onclick = () => this.show(kept);
      return button;
    };
    this.strip.replaceChildren(tab(null, "Start"), ...this.kept.map((kept) => tab(kept, `${kept.id}  ${kept.label}`)));
    const now = this.strip.querySelector<HTMLElement>("[aria-selected=true]");
    if (now) this.strip.scrollLeft = Math.max(0, now.offsetLeft + now.offsetWidth - this.strip.clientWidth);
  }
}

function factsOf(report: Report): HTMLElement {
  const { run, end } = report, facts = element("ul", { className: "facts" });
  facts.setAttribute("aria-label", "What was run");
  addFact(facts, run.law, "law");
  addFact(facts, run.scheme, "");
  if (!end) return facts;
  addFact(facts, `${number(end.t_end)} s`, "");
  addFact(facts, end.impacts.toLocaleString("en"), run.in_forces ? "contacts closed" : end.impacts === 1 ? "impact" : "impacts");
  const good = end.status === "solved" && end.inconsistent === 0;
  addFact(facts, end.inconsistent ? `${end.inconsistent} not consistent` : end.status, "", good ? "good" : "warn");
  return facts;
}

function said(text: string): HTMLElement {
  return element("details", { className: "said card" }, element("summary", { textContent: "What the tool says" }), element("pre", { textContent: text, tabIndex: 0 }));
}

function mountResult(root: HTMLElement, result: Kept): { destroy(): void } {
  const view = element("div", { className: "run-view" });
  if (result.kind === "run") {
    root.append(factsOf(result.reports[0]), view, said(result.text));
    return mountRun(view, result.reports[0], { autoplay: !navigator.webdriver });
  }
  root.append(view);
  if (!result.table) root.append(said(result.text));
  return mountComparison(view, result.reports, { autoplay: !navigator.webdriver, table: result.table, sentences: result.sentences });
}

/** The law that a scene names. */
export function lawOf(keys: Key[]): string {
  return chosen(keys, "law") ?? "";
}
