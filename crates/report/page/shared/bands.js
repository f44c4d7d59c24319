// The colours of bands: those that pictures have (crates/report/src/draw/theme.rs), by their names in palette.css.

/** The place of a band on the ramp, by its place among `count`, worst first. Few bands need no extremes. */
function step(place, count) {
  const [first, last] = count < 2 ? [52, 52] : count === 2 ? [10, 54] : count === 3 ? [8, 56] : [0, 64];
  const steps = Math.max(1, count - 1);
  return first + Math.floor((place * (last - first) + Math.floor(steps / 2)) / steps);
}

/** Gives an element the colours of a band: the fill, and what is written on it. */
export function paint(node, place, count) {
  node.style.setProperty("--fill", `var(--band-${step(place, count)})`);
  node.style.setProperty("--on-fill", `var(--on-band-${step(place, count)})`);
  return node;
}
