// The settings of axes and parameters. They are part of the editor's state, so that undo goes back over moves of sliders
// and edits alike, in the order in which they were made.

import { StateEffect, StateField, Transaction } from "@codemirror/state";
import { invertedEffects, isolateHistory } from "@codemirror/commands";

/** Goes from some settings to others; both are objects of values by name, without those at their defaults. */
export const moveSettings = StateEffect.define();

export const settingsField = StateField.define({
  create: () => ({}),
  update: (settings, transaction) =>
    transaction.effects.reduce((now, effect) => (effect.is(moveSettings) ? effect.value.to : now), settings),
});

export const settingsHistory = [
  settingsField,
  invertedEffects.of((transaction) => transaction.effects
    .filter((effect) => effect.is(moveSettings))
    .map(({ value: { from, to } }) => moveSettings.of({ from: to, to: from }))),
];

/** A move that can be undone by itself. */
export function moved(from, to) {
  return { effects: moveSettings.of({ from, to }), annotations: isolateHistory.of("full") };
}

/** A move on the way, while a slider is held: it is not undone by itself. */
export function moving(from, to) {
  return { effects: moveSettings.of({ from, to }), annotations: Transaction.addToHistory.of(false) };
}
