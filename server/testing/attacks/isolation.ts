/** Texts that reorder their surroundings, and a check for sentences that they affected. */

/** An override, an isolate that ends too early, an isolate that never ends, and right-to-left text. */
export const HOSTILE = [
  'Knots\u202e of ropes',
  'Knots\u2069\u202e of ropes',
  'Knots\u2067 of ropes',
  'עברית',
  'مرحبا 5',
] as const

/**
 * Returns the placeholders of a catalogue text: a number for plurals, null for texts. Returns null if the text has
 * no text placeholder.
 */
export function valuesOf(text: string): Record<string, number | null> | null {
  const counted = [...text.matchAll(/\{(\w+),/gu)].map(([, name = '']) => [name, 2] as const)
  const written = [...text.matchAll(/\{(\w+)\}/gu)].map(([, name = '']) => [name, null] as const)
  const values = Object.fromEntries([...written, ...counted])
  return Object.values(values).includes(null) ? values : null
}

/** Returns true if a sentence has right-to-left text outside an isolate, an override, or an unpaired isolate. */
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
