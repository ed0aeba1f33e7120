/** Features of a second small model that detects the language of a comment, trained on the same comments. */
import { hashOf, type Feature } from './features.ts'
import { foldLetters } from './letters.ts'
import type { Reading } from './reading.ts'

/** `none` means that there is no language. */
export const LANGUAGES = ['en', 'bg', 'other', 'none'] as const
export type Language = (typeof LANGUAGES)[number]

const tenths = (part: number, whole: number) =>
  whole === 0 ? 'none' : Math.round((5 * part) / whole)

/** Uses the letters as typed (to detect transliterated Bulgarian), scripts, and the number of known words. */
export function languageFeatures(reading: Reading): Feature[] {
  const letters = new Set<string>()
  for (const { piece } of reading.words) {
    const folded = `<${piece.read.normalize('NFC').toLowerCase().slice(0, 24)}>`
    const plain = `<${foldLetters(piece.read).slice(0, 24)}>`
    for (const word of folded === plain ? [plain] : [plain, folded]) {
      for (let size = 1; size <= 4; size += 1) {
        for (let start = 0; start + size <= word.length; start += 1)
          letters.add(word.slice(start, start + size))
      }
      letters.add(word)
    }
  }
  const facts = [
    `english ${tenths(reading.english, reading.letters)}`,
    `bulgarian ${tenths(reading.bulgarian, reading.letters)}`,
    `known ${tenths(Math.max(reading.english, reading.bulgarian), reading.letters)}`,
    `words ${Math.min(3, reading.words.length)}`,
  ]
  const features: Feature[] = facts.map((fact) => ({
    hash: hashOf(`fact:${fact}`),
    value: 0.6,
    from: [],
  }))
  const value = 1 / Math.sqrt(Math.max(1, letters.size))
  for (const name of letters) features.push({ hash: hashOf(`language:${name}`), value, from: [] })
  return features
}
