// Impacts, events and the scene as text.

import type { Closure, Impact, Report, RunEvent } from "./data";
import { element, number, quantity, shortNames, spelledNumbers } from "./format";
import type { Parts } from "./parts";

interface Column<Row> {
  title: string;
  text?: boolean;
  measured?: boolean; // a number of the motion, which may be nothing but rounding
  brief?: boolean; // a text of a word, which needs no line of its own on a phone
  value: (row: Row) => number | string;
  show?: (row: Row) => Node | string;
}

const atOnce = 200; // rows
const longestPair = 80; // letters

/** A table that sorts by its columns; a row leads to its moment. */
class SortedTable<Row extends { t: number }> {
  readonly box = element("div", { className: "scroll" });
  private order: Row[];
  private limit = atOnce;
  private by = -1;
  private down = false;
  private readonly largest = new Map<Column<Row>, number>();
  private rows = new Map<Row, HTMLTableRowElement>();

  constructor(rows: Row[], private readonly columns: Column<Row>[], private readonly go: (row: Row) => void, private readonly name: string) {
    this.order = [...rows];
    for (const column of columns) if (column.measured) this.largest.set(column, rows.reduce((most, row) => Math.max(most, Math.abs(Number(column.value(row)))), 0));
    this.draw();
  }

  /** A number beside which others of its column are so large that it is rounding. */
  private isNothing(column: Column<Row>, row: Row): boolean {
    const value = column.value(row);
    return column.measured === true && typeof value === "number" && Math.abs(value) < 1e-12 * (this.largest.get(column) ?? 0);
  }

  private sort(column: number): void {
    this.down = this.by === column ? !this.down : typeof this.columns[column].value(this.order[0]) === "number" && column > 1;
    this.by = column;
    const value = this.columns[column].value, sign = this.down ? -1 : 1;
    this.order.sort((x, y) => {
      const a = value(x), b = value(y);
      return sign * (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b)));
    });
    this.draw();
  }

  private draw(): void {
    const head = element("tr", { role: "row" });
    this.columns.forEach((column, i) => {
      const cell = element("th", { scope: "col", role: "columnheader", className: column.text ? "text" : "" }, element("button", { type: "button", textContent: column.title, onclick: () => this.sort(i) }));
      if (this.by === i) cell.setAttribute("aria-sort", this.down ? "descending" : "ascending");
      head.append(cell);
    });
    const body = element("tbody", { role: "rowgroup" });
    this.rows.clear();
    for (const row of this.order.slice(0, this.limit)) {
      const line = element("tr", { role: "row", tabIndex: 0, onclick: () => this.go(row) });
      line.addEventListener("keydown", (event) => event.key === "Enter" && this.go(row));
      for (const column of this.columns) {
        const value = this.isNothing(column, row) ? 0 : column.show ? column.show(row) : column.value(row);
        const cell = element("td", { role: "cell", className: column.brief ? "text brief" : column.text ? "text" : "" }, typeof value === "number" ? number(value, 5) : value);
        cell.dataset.title = column.title;
        line.append(cell);
      }
      this.rows.set(row, line);
      body.append(line);
    }
    // rows are cards on a phone, so tables say themselves that they are tables
    const table = element("table", { role: "table", className: "listed" }, element("thead", { role: "rowgroup" }, head), body);
    table.setAttribute("aria-label", this.name);
    this.box.replaceChildren(table);
    if (this.order.length > this.limit)
      this.box.append(element("p", { className: "more" }, element("button", {
        type: "button", className: "small", textContent: `Show more (${this.order.length - this.limit} are left)`,
        onclick: () => {
          this.limit *= 4;
          this.draw();
        },
      })));
  }

  /** Marks what happens at t. */
  mark(t: number, slack: number): void {
    for (const [row, line] of this.rows) line.classList.toggle("now", Math.abs(row.t - t) <= slack);
  }
}

export interface TableActions {
  seek: (t: number) => void;
  lookInside: (number: number, t: number) => void;
  playable: Set<number>;
}

/** A name that stays on its line. */
export const unbroken = (name: string) => (name.length > 36 ? name : name.replaceAll(" ", "\u00a0").replaceAll("-", "\u2011"));

/** The pairs that met, each once, written as `spell` does it. */
export function contactsText(impact: Impact, most = 3, spell = (name: string) => name): string {
  const names = [...new Set(impact.contacts.map((contact) => contact.name))], isAll = impact.contact_count === impact.contacts.length;
  const left = isAll ? names.length - most : impact.contact_count - most;
  return names.slice(0, most).map(spell).join(", ") + (left > 0 ? ` and ${left} more` : "");
}

/** Names that are too long for a table are whole in their tooltip. */
function contactsCell(impact: Impact): Node | string {
  const cut = contactsText(impact, 3, (name) => unbroken(shortNames([name], longestPair)[0])), whole = contactsText(impact, 3, unbroken);
  return cut === whole ? whole : element("span", { textContent: cut, title: whole });
}

function impactColumns(report: Report, actions: TableActions): Column<Impact>[] {
  const most = report.impacts.reduce((energy, one) => Math.max(energy, one.energy_before), 0);
  const lost = ({ dissipated, energy_before }: Impact) => (Math.abs(dissipated) < Math.max(1e-12 * energy_before, 1e-15 * most) ? 0 : dissipated); // rounding is none
  const columns: Column<Impact>[] = [
    { title: "#", value: (row) => row.number },
    { title: "t [s]", value: (row) => row.t, show: (row) => number(row.t, 7) },
    { title: "contacts", text: true, value: (row) => contactsText(row), show: contactsCell },
    { title: "approach [m/s]", value: (row) => row.approach },
    { title: "impulse [N s]", value: (row) => row.impulse },
    { title: "lost [J]", value: lost },
  ];
  if (report.impacts.some((one) => one.duration !== undefined))
    columns.push({ title: "lasts", value: (row) => row.duration ?? 0, show: (row) => quantity(row.duration, "s") });
  columns.push({
    title: "certificate", value: (row) => row.residual,
    show: (row) => element("span", {
      className: row.consistent ? "good" : "warn", title: `largest relative residual ${number(row.residual, 2)}`,
      textContent: row.status !== "solved" ? row.status : row.at_rest ? "at rest" : row.consistent ? "consistent" : "not consistent",
    }),
  });
  if (actions.playable.size)
    columns.push({
      title: "inside", value: (row) => (actions.playable.has(row.number) ? 0 : 1),
      show: (row) => actions.playable.has(row.number)
        ? element("button", {
          type: "button", textContent: "Slow motion", ariaLabel: `Slow motion of impact ${row.number}`,
          onclick: (event) => {
            event.stopPropagation();
            actions.lookInside(row.number, row.t);
          },
        })
        : "",
    });
  return columns;
}

const closureColumns: Column<Closure>[] = [
  { title: "t [s]", value: (row) => row.t, show: (row) => number(row.t, 7) },
  { title: "contact", text: true, value: (row) => row.contact },
  { title: "lasts", value: (row) => row.duration, show: (row) => quantity(row.duration, "s") },
  { title: "peak force", measured: true, value: (row) => row.peak, show: (row) => quantity(row.peak, "N") },
  { title: "impulse [N s]", measured: true, value: (row) => row.impulse },
  { title: "approach [m/s]", measured: true, value: (row) => row.approach },
  { title: "departure [m/s]", measured: true, value: (row) => row.departure },
  { title: "lost [J]", measured: true, value: (row) => row.dissipated },
];
const eventColumns: Column<RunEvent>[] = [
  { title: "t [s]", value: (row) => row.t, show: (row) => number(row.t, 7) },
  { title: "event", text: true, brief: true, value: (row) => row.event, show: (row) => element("span", { className: /approximate|stop/.test(row.event) ? "warn" : "", textContent: row.event }) },
  { title: "what", text: true, value: (row) => row.what },
  { title: "detail", text: true, value: (row) => row.detail, show: (row) => spelledNumbers(row.detail) },
];

/** The text of a scene with its headings, keys and remarks told apart. */
function sceneText(report: Report): HTMLElement {
  const text = element("pre", { tabIndex: 0, ariaLabel: "The scene as text" });
  for (const line of report.run.text.split("\n")) {
    const remark = /^((?:[^"#]|"[^"]*")*)(#.*)?$/.exec(line);
    const code = remark?.[1] ?? line, key = /^(\s*[\w.-]+)(\s*=.*)$/.exec(code);
    if (/^\s*\[/.test(code)) text.append(element("span", { className: "h", textContent: code }));
    else if (key) text.append(element("span", { className: "k", textContent: key[1] }), key[2]);
    else text.append(code);
    if (remark?.[2]) text.append(element("span", { className: "c", textContent: remark[2] }));
    text.append("\n");
  }
  const changed = report.run.options.length ? [element("p", { className: "warn", textContent: `Changed by ${report.run.options.join(" ")}` })] : [];
  return element("div", { className: "scroll" }, ...changed, text);
}

let panels = 0; // of the page: their names differ

export class Tables {
  private readonly sorted: SortedTable<{ t: number }>[] = [];

  constructor(private readonly report: Report, private readonly parts: Parts, actions: TableActions) {
    const tabs: [string, HTMLElement][] = [];
    const add = <Row extends { t: number }>(title: string, rows: Row[], count: number, columns: Column<Row>[]) => {
      if (!rows.length) return;
      const table = new SortedTable(rows, columns, (row) => actions.seek(row.t), title);
      this.sorted.push(table as unknown as SortedTable<{ t: number }>);
      const rest = count > rows.length ? [element("p", { className: "muted", textContent: `${count - rows.length} more are in the CSV files beside this page.` })] : [];
      tabs.push([`${title} (${count.toLocaleString("en")})`, element("div", {}, table.box, ...rest)]);
    };
    if (report.run.in_forces) add("Contacts", report.closures, report.closure_count, closureColumns);
    add("Impacts", report.impacts, report.impact_count, impactColumns(report, actions));
    add("Events", report.events, report.event_count, eventColumns);
    if (report.run.text) tabs.push(["Scene", sceneText(report)]);
    this.makeTabs(tabs);
  }

  private makeTabs(tabs: [string, HTMLElement][]): void {
    const bar = this.parts("tabs"), panel = this.parts("panel");
    panel.id = `panel-${++panels}`;
    const buttons = tabs.map(([title, content], i) => {
      const button = element("button", { type: "button", textContent: title, id: `${panel.id}-tab-${i}` });
      button.setAttribute("role", "tab");
      button.setAttribute("aria-controls", panel.id);
      button.addEventListener("click", () => {
        buttons.forEach((one) => one.setAttribute("aria-selected", String(one === button)));
        panel.setAttribute("aria-labelledby", button.id);
        panel.replaceChildren(content);
      });
      return button;
    });
    bar.replaceChildren(...buttons);
    if (buttons.length) buttons[0].click();
    else bar.parentElement!.hidden = true;
  }

  at(t: number): void {
    const slack = 1e-9 * Math.max(this.report.run.duration, 1e-12);
    for (const table of this.sorted) table.mark(t, slack);
  }
}
