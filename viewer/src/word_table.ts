// A table as the tool prints it: names on the left, a column for each law, rules between groups.

import type { WordTable } from "./data";
import { element } from "./format";

export function wordTable(table: WordTable, name: string): HTMLElement {
  const head = element("thead"), body = element("tbody"), columns = Math.max(...table.header.map((row) => row.length));
  const minus = (text: string) => text.replace(/(^|[^\w])-(?=\d)/g, "$1−").replace(/^-$/, "–");
  for (const row of table.header)
    head.append(element("tr", {}, ...Array.from({ length: columns }, (_, i) => element("th", { scope: "col", className: i ? "" : "text" }, element("span", { textContent: row[i] ?? "" })))));
  let begins = false;
  for (const row of table.rows) {
    if (!row.length) {
      begins = true;
      continue;
    }
    const line = element("tr", { className: begins ? "begins" : "" });
    line.append(element("th", { scope: "row", className: "text", textContent: row[0] }));
    if (row.length === 1) line.cells[0].colSpan = columns;
    for (const cell of row.slice(1)) line.append(element("td", { textContent: minus(cell), className: /creates|penetrates|pulls|are not/.test(cell) ? "warn" : cell === "consistent" ? "good" : "" }));
    body.append(line);
    begins = false;
  }
  const made = element("table", { className: "words" }, head, body);
  made.setAttribute("aria-label", name);
  return element("div", { className: "scroll whole", tabIndex: 0, role: "region", ariaLabel: name }, made);
}
