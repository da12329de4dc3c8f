// The scene as a form: what the check says can be set, by groups, each field with its unit and meaning.

import { element } from "../format";
import type { Change, Choice, Description, Key, Value } from "./core";
import { fieldOf, type FieldView } from "./fields";

interface Group {
  path: string;
  title: string;
  keys: Key[];
}

const left = new Set(["about", "name", "type", "formats"]); // words that a form does not offer
const first = ["", "law", "scheme", "contact", "parameters"];
const openGroups = 6; // more of them start closed

/** "body[0].shape.radius" belongs to "body[0]", "materials.steel.E" to "materials.steel", "duration" to "". */
function groupOf(path: string): string {
  const parts = path.split(".");
  if (parts.length === 1) return /\]$/.test(path) ? path : "";
  return /\]$/.test(parts[0]) || parts[0] !== "materials" ? parts[0] : parts.slice(0, 2).join(".");
}
function labelOf(path: string): string {
  const rest = path.slice(groupOf(path).length).replace(/^\./, "");
  return (rest || path).replace(/_/g, " ").replace(/\./g, " · ");
}
function titleOf(group: string, keys: Key[]): string {
  const titles: Record<string, string> = { "": "The run", law: "Law of impact", scheme: "Scheme", contact: "All contacts", parameters: "Parameters", record: "Recording", stop: "Stop" };
  if (titles[group]) return titles[group];
  const name = keys.find((key) => key.path === `${group}.name`)?.value;
  if (typeof name === "string") return name;
  const bodies = keys.find((key) => key.path === `${group}.bodies`)?.value;
  if (Array.isArray(bodies)) return bodies.join(" – ");
  const [, word, index] = /^(.*?)(?:\[(\d+)\])?$/.exec(group)!;
  const plain = word.replace(/^materials\./, "material ").replace(/_/g, " ");
  return plain.charAt(0).toUpperCase() + plain.slice(1) + (index === undefined ? "" : ` ${Number(index) + 1}`);
}

/** The choice of law or scheme that a scene states. */
export function chosen(keys: Key[], what: "law" | "scheme"): string | null {
  const value = keys.find((key) => key.path === what && typeof key.value === "string" || key.path === `${what}.name`)?.value;
  return typeof value === "string" ? value : null;
}

/** The keys of a scene and those which its law and scheme could have. */
function withFields(keys: Key[], description: Description): Key[] {
  const known = new Set(keys.map((key) => key.path)), all = [...keys];
  const add = (what: "law" | "scheme", choices: Choice[]) => {
    const choice = choices.find((one) => one.name === chosen(keys, what));
    for (const field of choice?.fields ?? []) {
      const path = `${what}.${field.name}`;
      if (!known.has(path)) all.push({ path, value: field.default ?? null, unit: field.unit, meaning: field.meaning, words: field.words });
    }
  };
  add("law", description.laws);
  add("scheme", description.schemes);
  return all;
}

function groupsOf(keys: Key[]): Group[] {
  const groups = new Map<string, Key[]>();
  for (const key of keys) {
    const group = groupOf(key.path === "law" || key.path === "scheme" ? `${key.path}.name` : key.path);
    if (!groups.has(group)) groups.set(group, []);
    groups.get(group)!.push(key);
  }
  const rank = (group: string) => (first.includes(group) ? first.indexOf(group) : first.length);
  return [...groups].map(([path, list]) => ({ path, title: titleOf(path, list), keys: list })).sort((a, b) => rank(a.path) - rank(b.path));
}

export class Form {
  private description: Description = { version: "", laws: [], schemes: [] };
  private fields = new Map<string, FieldView>();
  private shape = "";
  private readonly open = new Map<string, boolean>();

  constructor(private readonly root: HTMLElement, private readonly onChange: (changes: Change[]) => void) {}

  describe(description: Description): void {
    this.description = description;
    this.shape = "";
  }

  show(stated: Key[]): void {
    const keys = withFields(stated, this.description).filter((key) => !this.isLeftOut(key));
    const groups = groupsOf(keys.concat(stated.filter((key) => /\.(name|bodies)$/.test(key.path) && !keys.includes(key))));
    const shape = JSON.stringify(groups.map((group) => [group.title, group.keys.map((key) => [key.path, kindOf(key.value), chosen(stated, "law"), chosen(stated, "scheme")])]));
    if (shape !== this.shape) this.build(groups, stated);
    this.shape = shape;
    for (const key of keys) this.fields.get(key.path)?.show(key);
  }

  /** Opens the group of a table, such as "body[0]", and brings it into view. */
  reveal(path: string): void {
    const field = [...this.fields.keys()].find((one) => one.startsWith(`${path}.`));
    const group = field && this.fields.get(field)!.row.closest("details");
    if (!group) return;
    group.open = true;
    if (this.root.offsetParent) this.root.scrollTo({ top: group.offsetTop - this.root.offsetTop - 8 });
  }

  private isLeftOut(key: Key): boolean {
    const last = key.path.split(".").pop()!;
    if (key.path === "title" || key.path === "law" || key.path === "scheme") return key.path === "title";
    if (left.has(last) || /\.bodies$/.test(key.path)) return true;
    return typeof key.value === "string" && key.value.length > 60;
  }

  private build(groups: Group[], stated: Key[]): void {
    const focused = (document.activeElement as HTMLElement | null)?.dataset?.path;
    this.fields.clear();
    this.root.replaceChildren();
    const materials = [...new Set(stated.map((key) => /^materials\.([^.]+)\./.exec(key.path)?.[1]).filter((one): one is string => !!one))];
    let shown = 0;
    for (const group of groups) {
      const rows: HTMLElement[] = [];
      if (group.path === "law" || group.path === "scheme") rows.push(...this.choice(group.path, stated));
      for (const key of group.keys) {
        if (this.isLeftOut(key) || key.path === group.path || key.path === `${group.path}.name`) continue;
        const field = fieldOf(key, { label: labelOf(key.path), materials, change: (value) => this.onChange([{ path: key.path, value }]) });
        if (!field) continue;
        this.fields.set(key.path, field);
        rows.push(field.row);
      }
      if (!rows.length) continue;
      const details = element("details", { className: "group", open: this.open.get(group.path) ?? (shown < openGroups && group.path !== "record") }, element("summary", {}, element("h2", { textContent: group.title })), ...rows);
      details.ontoggle = () => this.open.set(group.path, details.open);
      this.root.append(details);
      ++shown;
    }
    if (!shown) this.root.append(element("p", { className: "muted", textContent: "The form appears once the scene can be read." }));
    if (focused) this.root.querySelector<HTMLElement>(`[data-path="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  /** A list to choose from, and what the chosen one says. */
  private choice(what: "law" | "scheme", stated: Key[]): HTMLElement[] {
    const choices = what === "law" ? this.description.laws : this.description.schemes;
    const now = chosen(stated, what);
    const select = element("select", {}, ...choices.map((one) => new Option(one.name, one.name)));
    if (now === null || !choices.some((one) => one.name === now)) select.prepend(new Option(now ?? "none", now ?? ""));
    select.value = now ?? "";
    select.dataset.path = what;
    select.setAttribute("aria-label", what === "law" ? "Law of impact" : "Scheme");
    select.onchange = () => this.onChange([{ path: what, value: select.value }]);
    const choice = choices.find((one) => one.name === now);
    const about = element("p", { className: "muted about" }, choice?.about ? sentence(choice.about) : "");
    if (choice?.limits) about.append(` ${sentence(choice.limits)}`);
    if (choice?.source) about.append(" ", element("cite", { textContent: choice.source }));
    return [element("div", { className: "field choice" }, select), ...(about.textContent ? [about] : [])];
  }
}

function sentence(text: string): string {
  const trimmed = text.trim();
  return trimmed.charAt(0).toUpperCase() + trimmed.slice(1) + (/[.!?]$/.test(trimmed) ? "" : ".");
}

export function kindOf(value: Value | null): string {
  if (Array.isArray(value)) return `array ${value.length} ${value.map(kindOf).join()}`;
  return value === null ? "null" : typeof value;
}
