// What the browser remembers between visits, and of each tab between reloads. A browser that remembers nothing is fine, too.

const key = "carom-laboratory";

export interface Remembered {
  scene: string;
  name: string;
  panel?: "form" | "text";
}

/** What this tab had, or else the last one. */
export function recall(): Partial<Remembered> {
  try {
    const found = JSON.parse(sessionStorage.getItem(key) ?? localStorage.getItem(key) ?? "{}");
    return found && typeof found === "object" ? found : {};
  } catch {
    return {};
  }
}

export function remember(change: Partial<Remembered>): void {
  const text = JSON.stringify({ ...recall(), ...change });
  for (const storage of ["sessionStorage", "localStorage"] as const)
    try {
      window[storage].setItem(key, text);
    } catch {
      // full or forbidden
    }
}
