// Keeps the site's files, so that it opens without a network once it was open. A new version of the site has a list of
// its own and is used from the next visit on.

interface Worker {
  caromSite: { version: string; files: string[] }; // stands before this script
  skipWaiting(): void;
  addEventListener(event: "install" | "activate" | "fetch", act: (event: Happening) => void): void;
}
interface Happening {
  request: Request;
  waitUntil(work: Promise<unknown>): void;
  respondWith(answer: Promise<Response>): void;
}
const worker = self as unknown as Worker, { version, files } = worker.caromSite, kept = `carom ${version}`;

worker.addEventListener("install", (event) => {
  event.waitUntil(caches.open(kept).then((cache) => cache.addAll(files)).then(() => worker.skipWaiting()));
});
worker.addEventListener("activate", (event) => {
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter((one) => one.startsWith("carom ") && one !== kept).map((one) => caches.delete(one)))));
});
worker.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  event.respondWith(
    caches.open(kept).then(async (cache) => (await cache.match(event.request, { ignoreSearch: true })) ?? fetch(event.request)),
  );
});
export {};
