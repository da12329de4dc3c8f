// What was run, above its view, and the small print below.

import type { Report } from "./data";
import { element, number, quantity } from "./format";
import type { Parts } from "./parts";

/** Facts as pills in a list: a value, its name, "good" or "warn". */
export function addFact(list: HTMLElement, value: string, name: string, kind = ""): void {
  list.append(element("li", { className: kind }, element("b", { textContent: value }), ` ${name}`));
}

export function fillHeader(parts: Parts, report: Report): void {
  const { run, end } = report, facts = parts("facts");
  document.title = `${run.title || run.scene} – Carom`;
  parts("title").textContent = run.title || run.scene;
  parts("about").textContent = run.about;
  facts.replaceChildren();
  addFact(facts, run.law, "law");
  addFact(facts, run.scheme, "");
  addFact(facts, `${number(end?.t_end ?? run.duration)} s`, "");
  const bodies = report.scene?.bodies.filter((body) => body.free).length ?? 0;
  addFact(facts, bodies.toLocaleString("en"), bodies === 1 ? "body" : "bodies");
  if (!end) return;
  addFact(facts, end.impacts.toLocaleString("en"), run.in_forces ? "contacts closed" : end.impacts === 1 ? "impact" : "impacts");
  if (end.inconsistent) addFact(facts, `${end.inconsistent.toLocaleString("en")} not consistent`, "", "warn");
  if (!end.inconsistent || end.status !== "solved") addFact(facts, end.status, "", end.status === "solved" ? "good" : "warn");
}

export const keysText = "Keys: space plays, ← → step, Shift with them goes from impact to impact, + − change the speed";

/** What is said in small letters: how it ended, what is left out, which keys there are. */
export function finePrint(report: Report): string {
  const { end, frames } = report;
  const words = [
    ...new Set([end?.sentence, end?.message]),
    end ? `Computed by Carom in ${quantity(end.seconds, "s")}` : "",
    frames.thinned.every > 1 ? `One of ${frames.thinned.every} recorded states is shown` : "",
    frames.thinned.contacts_left_out ? "The weakest contacts are left out" : "",
    report.events.some((one) => one.event === "approximate") ? "Diamonds above the bar of time are steps that were answered approximately; the table of events has them" : "",
    "All numbers of the run are in the files beside this page",
    report.inside.length ? `${keysText}, S is slow motion` : keysText,
  ];
  return words.filter(Boolean).map((text) => `${text!.charAt(0).toUpperCase()}${text!.slice(1)}${/[.!?]$/.test(text!) ? "" : "."}`).join(" ");
}
