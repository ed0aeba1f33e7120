/** Returns the next number, from 0 to below 1. */
export type Random = () => number

/** A seed must give the same numbers in server and browser, so that both draw the same pictures. */
export function randomFrom(seed: string): Random {
  let hash = 2166136261
  for (const character of seed) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16777619)
  return () => {
    hash = (hash + 0x6d2b79f5) | 0
    let mixed = Math.imul(hash ^ (hash >>> 15), 1 | hash)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Picks an entry with uniform probability. @throws RangeError when the list is empty */
export function pick<T>(random: Random, list: readonly T[]): T {
  const picked = list[Math.floor(random() * list.length)]
  if (picked === undefined) throw new RangeError('nothing to pick from')
  return picked
}
