/** Texts that reorder what is around them, and how a sentence shows that they did. */

/** An override, an isolate that is ended too early, one that never ends, and text from right to left. */
export const HOSTILE = [
  'Knots\u202e of ropes',
  'Knots\u2069\u202e of ropes',
  'Knots\u2067 of ropes',
  'עברית',
  'مرحبا 5',
] as const

/**
 * The values that a text of the catalogue takes: numbers where it counts, null where a text goes. Null for a text
 * without such a place.
 */
export function valuesOf(text: string): Record<string, number | null> | null {
  const counted = [...text.matchAll(/\{(\w+),/gu)].map(([, name = '']) => [name, 2] as const)
  const written = [...text.matchAll(/\{(\w+)\}/gu)].map(([, name = '']) => [name, null] as const)
  const values = Object.fromEntries([...written, ...counted])
  return Object.values(values).includes(null) ? values : null
}

/** Whether a sentence has text from right to left outside an isolate, an override, or an isolate without its pair. */
export function findLeaks(sentence: string): boolean {
  let depth = 0
  for (const character of sentence) {
    if (character === '\u2068') depth += 1
    else if (character === '\u2069') depth -= 1
    else if (/[\u202a-\u202e\u2066\u2067]/u.test(character)) return true
    else if (depth === 0 && /[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(character)) return true
    if (depth < 0) return true
  }
  return depth !== 0
}
