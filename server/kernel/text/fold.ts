/**
 * Forms in which names are compared at registration and sign-in; search uses another one (contract/fold.ts). The
 * look-alikes are the table of UTS #39 (see scripts/confusables.mjs).
 */
import table from './confusables.json' with { type: 'json' }

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

const lookAlikes = new Map<string, string>()
for (const [prototype, characters] of Object.entries(table)) {
  for (const character of characters) lookAlikes.set(character, prototype)
}

/**
 * Returns the form for looking up a name: NFKC without case and invisible characters. Converts to upper case
 * first, because lower case alone keeps two forms of some letters (σ and ς, ß and ss).
 */
export function foldCase(text: string): string {
  const plain = text.normalize('NFKC').replace(INVISIBLE, '')
  const lower = plain.toUpperCase().toLowerCase().replaceAll('ς', 'σ').replaceAll('i\u0307', 'i')
  return lower.normalize('NFKC')
}

/**
 * Texts that look the same in lower or upper case have the same skeleton: `coco` in Latin and in Cyrillic, `НОВА`
 * and `HOBA`, `Ivan` and `lvan`.
 */
export function skeleton(text: string): string {
  let result = ''
  for (const character of foldCase(text).normalize('NFD'))
    result += lookAlikes.get(character) ?? character
  return result.normalize('NFC')
}
