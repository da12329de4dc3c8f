// The gallery of scenes, and the choice of laws to compare.

import { byId, element } from "./page";
import type { Choice, SceneEntry } from "./core";

/** A dialog that closes where people click beside it. */
function dialog(id: string): HTMLDialogElement {
  const box = byId<HTMLDialogElement>(id);
  box.addEventListener("click", (event) => event.target === box && box.close());
  return box;
}

export class Gallery {
  private readonly box = dialog("gallery");
  private readonly search = byId<HTMLInputElement>("gallery-search");
  private entries: SceneEntry[] = [];
  constructor(private readonly choose: (name: string) => void) {
    this.search.oninput = () => this.list();
    this.search.onkeydown = (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      byId("gallery-list").querySelector("button")?.click();
    };
  }
  open(entries: SceneEntry[]): void {
    this.entries = entries;
    this.search.value = "";
    this.list();
    this.box.showModal();
    this.search.focus();
  }
  private list(): void {
    const wish = this.search.value.trim().toLowerCase();
    const found = this.entries.filter((one) => `${one.name} ${one.title} ${one.about}`.toLowerCase().includes(wish));
    byId("gallery-list").replaceChildren(
      ...found.map((one) => {
        const button = element("button", { type: "button" }, element("b", { textContent: one.title || one.name }), element("span", { textContent: one.about }));
        button.onclick = () => {
          this.box.close();
          this.choose(one.name);
        };
        return element("li", {}, button);
      }),
      ...(found.length ? [] : [element("li", { className: "muted", textContent: this.entries.length ? "No scene has these words." : "There are no scenes here; open a file." })]),
    );
  }
}

const mostCompared = 6;

export class Comparing {
  private readonly box = dialog("comparing");
  private readonly wanted = new Set<string>();
  private laws: Choice[] = [];
  constructor(private readonly run: (laws: string[]) => void) {
    byId("comparing-run").onclick = () => {
      this.box.close();
      this.run(this.laws.map((law) => law.name).filter((name) => this.wanted.has(name)));
    };
  }
  open(laws: Choice[], now: string): void {
    this.laws = laws;
    if (!this.wanted.size) for (const name of [now, ...laws.map((law) => law.name)].slice(0, 3)) if (name) this.wanted.add(name);
    byId("comparing-list").replaceChildren(
      ...laws.map((law) => {
        const box = element("input", { type: "checkbox", checked: this.wanted.has(law.name) });
        box.onchange = () => {
          if (box.checked) this.wanted.add(law.name);
          else this.wanted.delete(law.name);
          this.count();
        };
        return element("li", {}, element("label", {}, box, element("b", { textContent: law.name }), element("span", { textContent: law.about ?? "" })));
      }),
    );
    this.count();
    this.box.showModal();
  }
  private count(): void {
    const n = this.wanted.size;
    byId<HTMLButtonElement>("comparing-run").disabled = n < 2 || n > mostCompared;
    byId("comparing-count").textContent = n < 2 ? "Choose two or more." : n > mostCompared ? `Choose at most ${mostCompared}.` : `${n} laws`;
  }
}
