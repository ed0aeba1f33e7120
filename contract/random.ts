/** Chance that repeats: the same seed gives the same row of numbers for ever. */

/** The next number, 0 to below 1. */
export type Random = () => number

/** Numbers that look random and are the same for the same seed, so that server and browser draw the same pictures. */
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

/** One of a list, every entry as likely as the others. @throws RangeError when the list is empty */
export function pick<T>(random: Random, list: readonly T[]): T {
  const picked = list[Math.floor(random() * list.length)]
  if (picked === undefined) throw new RangeError('nothing to pick from')
  return picked
}
