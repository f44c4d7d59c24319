// The page as a whole: its mode, its links, its printing.

/** Light or dark: what the system says until the reader says otherwise, then that for as long as the tab lives. */
const MODE = "oddsmith-mode";

function remembered() {
  try {
    return sessionStorage.getItem(MODE);
  } catch {
    return null;
  }
}

function remember(mode) {
  try {
    sessionStorage.setItem(MODE, mode);
  } catch {
    // A page that may store nothing forgets it on the next visit.
  }
}

function startModes() {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.mode ?? (system.matches ? "dark" : "light")) === "dark";
  const button = element("button", { type: "button" });
  const show = () => (button.textContent = isDark() ? "Light mode" : "Dark mode");
  const mode = remembered();
  if (mode !== null) root.dataset.mode = mode;
  button.addEventListener("click", () => {
    root.dataset.mode = isDark() ? "light" : "dark";
    remember(root.dataset.mode);
    show();
  });
  system.addEventListener("change", show);
  show();
  document.getElementById("mode").append(button);
}

function startExplorers() {
  const explorers = new Map();
  // Browsers count how often the address changes, so it follows when the slider rests.
  const follow = settled(200, (link) => history.replaceState(null, "", link));
  for (const data of document.querySelectorAll("script.data")) {
    const check = readCheck(data.textContent);
    const section = data.closest("section");
    explorers.set(check.id, new Explorer(check, section.querySelector(".explorer"), follow));
    const button = element("button", { type: "button", click: () => save(check.file, "text/csv", csv(check)) }, "Save CSV");
    section.querySelector(".files").append(" ", button);
  }
  return explorers;
}

/** Brings what a link holds onto the page. A link without a state only leads to its place. */
function follow(explorers) {
  const { id, pairs } = readLink(location.hash);
  if (pairs === null) return;
  explorers.get(id)?.restore(pairs);
  document.getElementById(id)?.scrollIntoView();
}

/** Pictures are saved from the page, so that they can be where the files beside it are not. */
function startSaving() {
  for (const anchor of document.querySelectorAll("a.svg")) {
    anchor.addEventListener("click", (event) => {
      event.preventDefault();
      const drawing = anchor.closest("figure").querySelector("svg");
      const text = new XMLSerializer().serializeToString(drawing);
      save(decode(anchor.getAttribute("href").split("/").at(-1)), "image/svg+xml", `${text}\n`);
    });
  }
}

/** On paper every table is open. */
function startPrinting() {
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details:not([open])")];
    closed.forEach((details) => (details.open = true));
  });
  addEventListener("afterprint", () => closed.forEach((details) => (details.open = false)));
}

/** The contents lie open where they have a column of their own, and say where the reader is. */
function startContents() {
  const nav = document.querySelector("nav");
  const details = nav.querySelector("details");
  const hasColumn = matchMedia("(min-width: 62rem)");
  const fit = () => (details.open = hasColumn.matches);
  hasColumn.addEventListener("change", fit);
  fit();
  nav.addEventListener("click", (event) => {
    if (event.target.matches("a") && !hasColumn.matches) details.open = false;
  });
  const links = new Map([...nav.querySelectorAll("a")].map((link) => [decode(link.hash.slice(1)), link]));
  const here = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) links.get(target.id)?.setAttribute("aria-current", "location");
      else links.get(target.id)?.removeAttribute("aria-current");
    }
  }, { rootMargin: "-15% 0px -80% 0px" });
  document.querySelectorAll("section.check").forEach((section) => here.observe(section));
}

startModes();
startContents();
const explorers = startExplorers();
startSaving();
startPrinting();
follow(explorers);
addEventListener("hashchange", () => follow(explorers));
