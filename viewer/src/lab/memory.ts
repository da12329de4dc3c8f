// What the browser remembers between visits. A browser that remembers nothing is fine, too.

const key = "carom-laboratory";

export interface Remembered {
  scene: string;
  name: string;
  panel?: "form" | "text";
}

export function recall(): Partial<Remembered> {
  try {
    const found = JSON.parse(localStorage.getItem(key) ?? "{}");
    return found && typeof found === "object" ? found : {};
  } catch {
    return {};
  }
}

export function remember(change: Partial<Remembered>): void {
  try {
    localStorage.setItem(key, JSON.stringify({ ...recall(), ...change }));
  } catch {
    // full or forbidden
  }
}
