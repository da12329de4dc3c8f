// A table as the tool prints it: names on the left, a column for each law. Its groups of rows are tables of their own that
// flow into columns where laws are few, and follow each other in one wide table where they are many.

import type { WordTable } from "./data";
import { element, spelledNumbers } from "./format";

const fewLaws = 4;

const cellText = (text: string) => spelledNumbers(text).replace(/^-$/, "–");
const verdict = (text: string) => (/creates|penetrates|pulls|are not/.test(text) ? "warn" : text === "consistent" ? "good" : "");

/** The rows between rules. */
function groupsOf(rows: string[][]): string[][][] {
  const groups: string[][][] = [[]];
  for (const row of rows)
    if (row.length) groups[groups.length - 1].push(row);
    else groups.push([]);
  return groups.filter((group) => group.length);
}

function headOf(rows: string[][], columns: number): HTMLElement {
  return element("thead", { role: "rowgroup" }, ...rows.map((row) => element("tr", { role: "row" }, ...Array.from({ length: columns }, (_, i) =>
    element("th", { scope: "col", role: "columnheader", className: i ? "" : "text" }, element("span", { textContent: row[i] ?? "" }))))));
}

function linesOf(group: string[][], columns: number): HTMLTableRowElement[] {
  return group.map((row, i) => {
    const line = element("tr", { role: "row", className: i ? "" : "begins" }, element("th", { scope: "row", role: "rowheader", className: "text", textContent: row[0] }));
    if (row.length === 1) line.cells[0].colSpan = columns;
    for (const cell of row.slice(1)) line.append(element("td", { role: "cell", textContent: cellText(cell), className: verdict(cell) }));
    return line;
  });
}

export function wordTable(table: WordTable, name: string): HTMLElement {
  const columns = Math.max(...table.header.map((row) => row.length)), groups = groupsOf(table.rows), isFew = columns - 1 <= fewLaws;
  const parts = isFew ? groups.map((group) => [group]) : [groups];
  const tables = parts.map((part, i) => {
    const made = element("table", { role: "table", className: "words" }, headOf(i ? table.header.slice(0, 1) : table.header, columns),
      element("tbody", { role: "rowgroup" }, ...part.flatMap((group) => linesOf(group, columns))));
    made.setAttribute("aria-label", parts.length > 1 ? `${name}, ${i + 1} of ${parts.length}` : name);
    return made;
  });
  const box = element("div", { className: `scroll whole ${isFew ? "flowing" : ""}`, tabIndex: 0, role: "region", ariaLabel: name }, ...tables);
  box.dataset.laws = String(columns - 1);
  box.style.setProperty("--laws", String(columns - 1));
  box.style.setProperty("--letters", String(Math.max(...table.rows.map((row) => row[0]?.length ?? 0))));
  return box;
}
