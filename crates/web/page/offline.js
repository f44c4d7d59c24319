// The service worker of a page without a server: it keeps all files of one version of the folder, and answers with them.
//
// A new version is fetched beside the old one, and takes over when no page shows the old one any more: files of two versions
// never meet.

/** What the folder has, and a digest of it; scripts/build-web writes them. */
const FILES = [/* FILES */];
const VERSION = "/* VERSION */";

/** Other folders of the same host have caches of their own. */
const OWN = `oddsmith ${self.registration.scope} `;
const NAME = OWN + VERSION;

async function keep() {
  const cache = await caches.open(NAME);
  // What the browser has already is asked for its freshness alone.
  await cache.addAll(FILES.map((file) => new Request(file, { cache: "no-cache" })));
}

async function drop() {
  const old = (await caches.keys()).filter((name) => name.startsWith(OWN) && name !== NAME);
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
}

async function answer(request) {
  const cache = await caches.open(NAME);
  const place = new URL(request.url);
  if (place.pathname.endsWith("/index.html")) place.pathname = place.pathname.slice(0, -"index.html".length);
  return (await cache.match(place, { ignoreSearch: true })) ?? fetch(request);
}

self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(drop()));
self.addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && event.request.url.startsWith(self.registration.scope)) event.respondWith(answer(event.request));
});
