// What people read in place of the names of a check's script: labels of what it shows, and what a track calls its rounds.

/** A query with titles in place of names: `mean(rolls)` of a track of turns is `mean(turns)`. */
export function queryTitle({ titles = [], unit, is_track: isTrack }, query) {
  const known = new Map(isTrack && unit ? [["rolls", unit[1]], ...titles] : titles);
  return query.replace(/[A-Za-z_]\w*/g, (name) => known.get(name) ?? name);
}

/** An answer whose outcomes and columns have a `title` where people read another name. */
export function titled(result, check) {
  for (const answer of [result.answer, result.before]) {
    for (const own of [...(answer?.outcomes ?? []), ...(answer?.columns ?? [])]) {
      const name = own.outcome ?? own.name;
      const title = queryTitle(check, name);
      if (title !== name) own.title = title;
    }
  }
  return result;
}
