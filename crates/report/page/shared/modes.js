// Light or dark: what the system says until the reader says otherwise, then that for as long as the tab lives.

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

/** Lets a button go from one mode to the other; `name` is told what it leads to. */
export function startModes(button, name) {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.mode ?? (system.matches ? "dark" : "light")) === "dark";
  const show = () => name(isDark() ? "Light mode" : "Dark mode");
  const mode = remembered();
  if (mode !== null) root.dataset.mode = mode;
  button.addEventListener("click", () => {
    root.dataset.mode = isDark() ? "light" : "dark";
    remember(root.dataset.mode);
    show();
  });
  system.addEventListener("change", show);
  show();
}
