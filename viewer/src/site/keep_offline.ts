import { siteRoot } from "../lab/wasm_code";

/** Where browsers allow it (https, or this machine), the site is kept for times without a network. */
export function keepOffline(): void {
  if (location.protocol === "file:") return;
  navigator.serviceWorker?.register(new URL("offline.js", siteRoot()).href).catch(() => {});
}
