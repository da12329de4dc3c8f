// Light or dark: what the system says until people choose. Views that draw are told of a change.

const changed = "carom-theme";

export function setUpTheme(button: HTMLElement): void {
  const root = document.documentElement, system = matchMedia("(prefers-color-scheme: dark)");
  let chosen = false;
  const set = (dark: boolean) => {
    root.dataset.theme = dark ? "dark" : "light";
    root.style.colorScheme = dark ? "dark" : "light";
    document.dispatchEvent(new Event(changed));
  };
  set(system.matches);
  system.addEventListener("change", () => !chosen && set(system.matches));
  button.onclick = () => {
    chosen = true;
    set(root.dataset.theme !== "dark");
  };
}

export function onTheme(act: () => void, signal: AbortSignal): void {
  document.addEventListener(changed, act, { signal });
}
