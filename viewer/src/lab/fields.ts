// One field of the form: a number with its unit, a slider, a formula, a vector, a word, yes or no.

import { element } from "../format";
import type { Key, Value } from "./core";

export interface FieldView {
  row: HTMLElement;
  show(key: Key): void;
}
interface Settings {
  label: string;
  materials: string[];
  change: (value: Value | null) => void;
}

/** Coefficients that lie between 0 and 1 by their meaning. */
const fractions = new Set(["e", "e_t", "mu", "theta"]);
const mostLetters = 3, mostShort = 26; // a symbol is explained where that takes few letters
const pause = 120; // [ms] between two changes while a slider moves

/** What was typed: a number, or else a formula. */
function typed(text: string): Value | null {
  const trimmed = text.trim();
  if (!trimmed) return null;
  const value = Number(trimmed.replace(/−/g, "-"));
  return Number.isFinite(value) ? value : trimmed;
}
function written(value: Value | null): string {
  if (typeof value !== "number") return value === null ? "" : String(value);
  return String(Math.abs(value) >= 1e5 || (value !== 0 && Math.abs(value) < 1e-4) ? value.toExponential().replace("e+", "e") : value);
}
/** A round step, about a twentieth of the value. */
function stepOf(value: number): number {
  if (!value) return 0.1;
  const power = 10 ** Math.floor(Math.log10(Math.abs(value) / 20));
  return Math.abs(value) / 20 >= 5 * power ? 5 * power : power;
}
/** Sums of decimal numbers without their last digits of noise. */
export function tidy(value: number, step: number): number {
  const digits = Math.min(15, Math.max(0, Math.ceil(-Math.log10(step)) + 1));
  return Number(value.toFixed(digits));
}

/** A line for a number or a formula; arrow keys up and down change it by round steps. */
function line(name: string, path: string, commit: (value: Value | null) => void): HTMLInputElement {
  const input = element("input", { type: "text", inputMode: "decimal", autocomplete: "off", spellcheck: false });
  input.setAttribute("aria-label", name);
  input.dataset.path = path;
  let before = "";
  const done = () => {
    if (input.value !== before) commit(typed(input.value));
    before = input.value;
  };
  input.onfocus = () => (before = input.value);
  input.onchange = done;
  input.onkeydown = (event) => {
    if (event.key === "Escape") input.value = before;
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    const value = typed(input.value || input.placeholder);
    if (typeof value !== "number") return;
    event.preventDefault();
    const step = stepOf(value) * (event.shiftKey ? 10 : 1);
    input.value = written(tidy(value + (event.key === "ArrowUp" ? step : -step), step));
    done();
  };
  return input;
}

/** The value where the text states it, the default as a hint where it does not. */
function fill(input: HTMLInputElement, key: Key, value: Value | null): void {
  if (document.activeElement === input && document.hasFocus() && input.dataset.shown === written(value)) return;
  input.dataset.shown = written(value);
  input.value = key.line ? written(value) : "";
  input.placeholder = key.line ? "" : written(value) || "default";
}

const unitOf = ({ unit }: Key) => (unit && unit !== "-" ? unit.replace(/\^2/g, "²").replace(/\^3/g, "³").replace("^eta", "^η").replace("degrees", "°") : "");
/** Without the unit, which stands beside it. */
const meaningOf = ({ meaning, unit }: Key) => (meaning ?? "").replace(` [${unit}]`, "").replace(`[${unit}]`, "").trim();

/** A row with a label, a unit and a meaning. */
function rowOf(key: Key, label: string, kind: string, ...inside: (Node | string)[]): HTMLElement {
  const unit = unitOf(key) ? element("span", { className: "unit", textContent: unitOf(key) }) : "";
  const short = label.length <= mostLetters ? /^[^:,;([]*/.exec(meaningOf(key))![0].trim() : "";
  const name = element("span", { className: "label" }, label, ...(short && short.length <= mostShort ? [element("small", { textContent: short })] : []));
  const row = element("div", { className: `field ${kind}` }, name, ...inside, unit);
  row.title = meaningOf(key);
  return row;
}
const nameOf = (key: Key, label: string) => (unitOf(key) ? `${label} in ${unitOf(key)}` : label) + (meaningOf(key) ? `: ${meaningOf(key)}` : "");

function sliderField(key: Key, { label, change }: Settings): FieldView {
  const number = line(nameOf(key, label), key.path, change);
  const slider = element("input", { type: "range", min: "0", max: "1", step: "0.01" });
  slider.setAttribute("aria-label", `${nameOf(key, label)}, slider`);
  let timer = 0;
  const send = () => {
    clearTimeout(timer);
    timer = 0;
    change(Number(slider.value));
  };
  slider.oninput = () => {
    number.value = slider.value;
    if (!timer) timer = window.setTimeout(send, pause);
  };
  slider.onchange = send;
  return {
    row: rowOf(key, label, "slide", slider, number),
    show(now) {
      if (timer || document.activeElement === slider && slider.matches(":active")) return;
      fill(number, now, now.value);
      if (typeof now.value === "number") slider.value = String(now.value);
    },
  };
}

function vectorField(key: Key, { label, change }: Settings): FieldView {
  let parts = key.value as Value[];
  const axes = parts.length <= 3 && /position|velocity|gravity|normal|axis|size|axes/.test(key.path) ? ["x", "y", "z"] : null;
  const inputs = parts.map((_, i) =>
    line(`${nameOf(key, label)}, ${axes?.[i] ?? i + 1}`, `${key.path}[${i}]`, (value) => change(parts.map((part, j) => (j === i ? (value ?? 0) : part)))));
  return {
    row: rowOf(key, label, "vector", element("span", { className: "parts" }, ...inputs)),
    show(now) {
      parts = now.value as Value[];
      inputs.forEach((input, i) => fill(input, now, parts[i] ?? null));
    },
  };
}

function switchField(key: Key, { label, change }: Settings): FieldView {
  const box = element("input", { type: "checkbox" });
  box.setAttribute("aria-label", nameOf(key, label));
  box.dataset.path = key.path;
  box.onchange = () => change(box.checked);
  return { row: rowOf(key, label, "yes", box), show: (now) => (box.checked = now.value === true) };
}

function wordField(key: Key, words: string[], { label, change }: Settings): FieldView {
  const select = element("select", {}, ...words.map((one) => new Option(one, one)));
  select.setAttribute("aria-label", nameOf(key, label));
  select.dataset.path = key.path;
  select.onchange = () => change(select.value);
  // what the words of a law mean is not to be guessed
  const explained = /^(law|scheme)\./.test(key.path) && meaningOf(key) ? [element("small", { textContent: meaningOf(key) })] : [];
  return { row: rowOf(key, label, "word", element("span", { className: "worded" }, select, ...explained)), show: (now) => (select.value = String(now.value)) };
}

export function fieldOf(key: Key, settings: Settings): FieldView | null {
  const last = key.path.split(".").pop()!, value = key.value;
  if (Array.isArray(value)) return value.length <= 4 && value.every((one) => typeof one === "number" || typeof one === "string") && value.length ? vectorField(key, settings) : null;
  if (typeof value === "boolean") return switchField(key, settings);
  if (key.words?.length) return wordField(key, key.words, settings);
  if (last === "material" && settings.materials.length) return wordField(key, settings.materials, settings);
  if (fractions.has(last) && (typeof value === "number" || value === null) && (value ?? 0) <= 1 && (value ?? 0) >= 0) return sliderField(key, settings);
  const input = line(nameOf(key, settings.label), key.path, settings.change);
  return { row: rowOf(key, settings.label, typeof value === "string" ? "word" : "one", input), show: (now) => fill(input, now, now.value) };
}
