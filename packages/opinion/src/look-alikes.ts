/**
 * Maps letters of other scripts to what they look like, from the table of UTS #39 (see scripts/confusables.mjs).
 */
import table from './look-alikes.json' with { type: 'json' }

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

const lookAlikes = new Map<string, string>()
for (const [letters, characters] of Object.entries(table))
  for (const character of characters) lookAlikes.set(character, letters)

/** NFKC without case and invisible characters. Converts to upper case first, which joins σ and ς, ß and ss. */
function foldCase(text: string): string {
  const plain = text.normalize('NFKC').replace(INVISIBLE, '')
  const lower = plain.toUpperCase().toLowerCase().replaceAll('ς', 'σ').replaceAll('i\u0307', 'i')
  return lower.normalize('NFKC')
}

/** Returns the ASCII letters that a letter looks like in lower or upper case. i, l and 1 are all `l`. */
export function plainTwin(letter: string): string {
  let twin = ''
  for (const character of foldCase(letter).normalize('NFD'))
    twin += lookAlikes.get(character) ?? character
  return twin.normalize('NFC').toLowerCase()
}
