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
const worker = self as unknown as Worker, { version, files } = worker.caromSite, name = `carom ${version}`;

worker.addEventListener("install", (event) => {
  event.waitUntil(caches.open(name).then((cache) => cache.addAll(files)).then(() => worker.skipWaiting()));
});
worker.addEventListener("activate", (event) => {
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter((one) => one.startsWith("carom ") && one !== name).map((one) => caches.delete(one)))));
});
worker.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  event.respondWith(
    caches.open(name).then(async (cache) => (await cache.match(event.request, { ignoreSearch: true })) ?? fetch(event.request)),
  );
});
