// Keys of views: the view that has the focus gets them, or the only one of the page.

const mounted = new Set<HTMLElement>();

export type Acts = Record<string, (event: KeyboardEvent) => void>;

const isWritten = (target: HTMLElement) =>
  /^(SELECT|TEXTAREA)$/.test(target.tagName) || target.isContentEditable || (target.tagName === "INPUT" && !/^(range|checkbox|radio|button)$/.test((target as HTMLInputElement).type));
const isPressable = (target: HTMLElement) =>
  /^(BUTTON|SUMMARY|A|TR)$/.test(target.tagName) || (target as HTMLInputElement).type === "checkbox";

/** `acts` by the name of the key, until `signal` ends it. */
export function listenToKeys(root: HTMLElement, acts: Acts, signal: AbortSignal): void {
  mounted.add(root);
  signal.addEventListener("abort", () => mounted.delete(root));
  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || isWritten(target)) return;
    const isOurs = root.contains(target) || (mounted.size === 1 && (target === document.body || !target.closest("[data-keys=own]")));
    if (!isOurs || (event.key === " " && isPressable(target))) return;
    if ((target as HTMLInputElement).type === "range" && (event.key === "Home" || event.key === "End")) return;
    const act = acts[event.key] ?? acts[event.key.toLowerCase()]; // caps lock
    if (!act) return;
    event.preventDefault();
    act(event);
  }, { signal });
}
