// Numbers for people.

const prefixes: [number, string][] = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"], [1e-12, "p"], [1e-15, "f"]];

/** About `digits` digits, with a true minus. */
export function number(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text =
    size >= 1e6 || size < 1e-4
      ? value.toExponential(Math.max(0, digits - 1)).replace(/\.?0+e/, "e").replace("e+", "e")
      : String(Number(value.toPrecision(Math.max(digits, Math.ceil(Math.log10(size + 1))))));
  return text.replace(/-/g, "−");
}

/** Words with numbers as the tool writes them, -1e-05, with a true minus: −1e−5. */
export function spelledNumbers(text: string): string {
  return text.replace(/(^|[^\w])-(?=\d)/g, "$1−").replace(/(\d)e-0*(?=\d)/g, "$1e−").replace(/(\d)e\+0*(?=\d)/g, "$1e");
}

/** The numbers beside ticks, with as many digits as tell them apart. */
export function tickTexts(list: number[], factor = 1): string[] {
  const most = Math.max(...list.map(Math.abs)), step = list.length > 1 ? Math.abs(list[1] - list[0]) : most;
  const digits = step > 0 ? Math.min(Math.max(5, Math.ceil(Math.log10(most / step)) + 2), 12) : 5;
  return list.map((v) => number(v / factor, digits));
}

/** With a unit and its prefix: 3.2 µs. */
export function quantity(value: number | null | undefined, unit: string, digits = 3): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (value === 0) return `0 ${unit}`;
  const found = prefixes.find(([factor]) => Math.abs(value) >= 0.9995 * factor) ?? prefixes[prefixes.length - 1];
  const prefix = unit === "s" && found[0] > 1 ? prefixes[3] : found;
  return `${number(value / prefix[0], digits)} ${prefix[1]}${unit}`;
}

/** A prefix for an axis that reaches to `most` s: shorter times than a hundredth of a second are told in ms or µs. */
export interface Scale {
  factor: number;
  prefix: string;
}
export function scaleOf(most: number): Scale {
  const [factor, prefix] = most >= 0.01 || !(most > 0) ? prefixes[3] : (prefixes.find(([one]) => most >= 2 * one) ?? prefixes[prefixes.length - 1]);
  return { factor, prefix };
}
/** "t [s]" with the prefix of its unit. */
export function scaled(text: string, { prefix }: Scale): string {
  return text.replace(/\[(?=[^\]]*\]$)/, `[${prefix}`);
}

/** A time of a run that ends at `end`, in the unit of its axes, with as many digits as a step of `step` needs. */
export function time(t: number, step: number, end: number): string {
  const { factor, prefix } = scaleOf(end), digits = Math.min(Math.max(0, Math.ceil(-Math.log10(step / factor))), 9);
  return `${(t / factor).toFixed(digits).replace(/-/g, "−")} ${prefix}s`;
}

/** The largest of 1, 2, 5, 10, ... that is not above a wish. */
export function roundLength(wish: number): number {
  const power = 10 ** Math.floor(Math.log10(wish));
  return [5, 2, 1].map((f) => f * power).find((one) => one <= wish) ?? power;
}

/** "vx [m/s]" apart. */
export function splitUnit(column: string): { name: string; unit: string } {
  const match = /^(.*?)(?: \[(.*)\])?$/.exec(column);
  return { name: match?.[1] ?? column, unit: match?.[2] ?? "" };
}

/** Names of at most `most` letters, with what is left out where those that differ still do: in the middle first. */
export function shortNames(names: string[], most: number): string[] {
  const cutAfter = (head: number) => names.map((name) => (name.length > most ? `${name.slice(0, head)}…${name.slice(name.length - (most - 1 - head))}` : name));
  const half = most >> 1, lists = [half, most - 4, 4, most - 1, 0].map(cutAfter);
  return lists.find((list) => new Set(list).size === new Set(names).size) ?? lists[0];
}

export function element<K extends keyof HTMLElementTagNameMap>(
  name: K, settings: Partial<HTMLElementTagNameMap[K]> = {}, ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(name), settings);
  made.append(...children);
  return made;
}
