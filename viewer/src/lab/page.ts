// Parts of the laboratory's own page, which is there once and has names for them.

export { element } from "../format";

export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

let timer = 0;
/** A word at the bottom of the page that goes by itself. */
export function say(text: string): void {
  const toast = byId("toast");
  toast.textContent = text;
  toast.hidden = false;
  clearTimeout(timer);
  timer = window.setTimeout(() => (toast.hidden = true), 3000 + 40 * text.length);
}

export function download(text: string, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/toml" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
