// The page as a whole: its mode, its links, its printing.

import { button, download, settled } from "../shared/elements.js";
import { startModes } from "../shared/modes.js";
import { csv } from "./csv.js";
import { Explorer } from "./explorer.js";
import { decode, readLink } from "./link.js";
import { showLinked } from "./linked.js";

function startExplorers() {
  const explorers = new Map();
  // Browsers count how often the address changes, so it follows when the slider rests.
  const follow = settled(200, (link) => history.replaceState(null, "", link));
  for (const [at, data] of document.querySelectorAll("script.data").entries()) {
    const section = data.closest("section");
    const explorer = new Explorer(data.textContent, `e${at}-`, section.querySelector(".explorer"), follow);
    const { check } = explorer;
    explorers.set(check.id, explorer);
    section.querySelector(".files").append(" ", button("Save CSV", () => download(check.file, csv(check), "text/csv")));
  }
  return explorers;
}

/** Brings what a link holds onto the page. A link without a state only leads to its place. */
function follow(explorers) {
  showLinked(document.getElementById("linked"), location.hash, explorers);
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
      download(decode(anchor.getAttribute("href").split("/").at(-1)), `${text}\n`, "image/svg+xml");
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

const mode = button("");
document.getElementById("mode").append(mode);
startModes(mode, (name) => (mode.textContent = name));
startContents();
const explorers = startExplorers();
startSaving();
startPrinting();
follow(explorers);
addEventListener("hashchange", () => follow(explorers));
