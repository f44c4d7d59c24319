// Lets the browser keep the folder once the page is there, so that it opens without a network from then on. Browsers do so for
// addresses that begin with https, and for this machine.

addEventListener("load", () => navigator.serviceWorker?.register("offline.js"));
