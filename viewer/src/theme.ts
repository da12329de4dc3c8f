// Light or dark: what the system says until people choose; the choice is remembered. Views that draw are told of a change.

const changed = "carom-theme", place = "carom-theme";

/** What people chose at an earlier visit; a browser that remembers nothing is fine, too. */
function remembered(): boolean | null {
  try {
    const theme = localStorage.getItem(place);
    return theme === "dark" ? true : theme === "light" ? false : null;
  } catch {
    return null;
  }
}
function remember(dark: boolean): void {
  try {
    localStorage.setItem(place, dark ? "dark" : "light");
  } catch {
    // full or forbidden
  }
}

export function setUpTheme(button: HTMLElement): void {
  const root = document.documentElement, system = matchMedia("(prefers-color-scheme: dark)");
  let chosen = remembered();
  const set = (dark: boolean) => {
    root.dataset.theme = dark ? "dark" : "light";
    root.style.colorScheme = dark ? "dark" : "light";
    document.dispatchEvent(new Event(changed));
  };
  set(chosen ?? system.matches);
  system.addEventListener("change", () => chosen === null && set(system.matches));
  // another page of the same place
  addEventListener("storage", (event) => {
    if (event.key !== place) return;
    chosen = remembered();
    set(chosen ?? system.matches);
  });
  // paper is white
  addEventListener("beforeprint", () => set(false));
  addEventListener("afterprint", () => set(chosen ?? system.matches));
  button.onclick = () => {
    chosen = root.dataset.theme !== "dark";
    remember(chosen);
    set(chosen);
  };
}

export function onTheme(act: () => void, signal: AbortSignal): void {
  document.addEventListener(changed, act, { signal });
}
