import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  FOLDED_AWAY,
  foldTag,
  foldTerm,
  foldText,
  foldWithPlaces,
  spellTag,
} from '#contract/fold.ts'

/** Each line is one text in several spellings. */
const ONE_TEXT: readonly (readonly string[])[] = [
  ['ивайло', 'ИВАЙЛО', 'Ивайло', 'Иваи\u0306ло', 'иваило'],
  ['пчёлы', 'ПЧЕЛЫ', 'пче\u0308лы'],
  ['müller', 'Muller', 'MU\u0308LLER'],
  ['łódź', 'Lodz'],
  ['đorđe', 'Ðorðe', 'dorde'],
  ['smørrebrød', 'SMORREBROD'],
  ['æsop', 'Aesop'],
  ['œuvre', 'OEUVRE'],
  ['straße', 'STRASSE', 'STRAẞE'],
  ['þor', 'thor'],
  ['ıstanbul', 'İSTANBUL', 'istanbul'],
  ['οδός', 'ΟΔΟΣ'],
  ["l'amour", 'l’amour', 'l‘amour', 'l`amour', 'l´amour', 'lʼamour'],
  ['"so"', '“so”', '„so“', '«so»', '″so″'],
  ['a-b', 'a–b', 'a—b', 'a‑b', 'a−b', 'a－b'],
  ['4x4', '4×4', '4✕4', '4X4'],
  [
    'word',
    'wo\u00adrd',
    'w\u200bord',
    'wor\u2060d',
    'word\ufe0f',
    '\u202eword\u202c',
    'w\u0000ord',
  ],
  ['ａｎｎ', 'ann', 'Ann'],
  ['½', '1/2', '1⁄2'],
  ['two words', 'two\u00a0words', 'two\u2800words', ' two  words '],
]

describe('comparison', () => {
  test.each(ONE_TEXT)('%s matches every spelling', (first, ...others) => {
    for (const other of others) expect(foldTerm(other)).toBe(foldTerm(first))
  })

  test('different letters stay different', () => {
    expect(foldText('й')).not.toBe(foldText('й'.toUpperCase() + 'и'))
    expect(foldText('к')).not.toBe(foldText('k'))
    expect(foldText('ann')).not.toBe(foldText('anna'))
  })

  test('folding is idempotent and removes all folded characters', () => {
    const away = new Set(FOLDED_AWAY)
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.constantFrom(...FOLDED_AWAY, 'Σ', 'ﬁ', 'Ǿ', 'ᾳ', '\u0301', 'ẞ') }),
    )
    fc.assert(
      fc.property(text, (one) => {
        const folded = foldText(one)
        expect(foldText(folded)).toBe(folded)
        expect(Array.from(folded).filter((character) => away.has(character))).toEqual([])
      }),
    )
  })
})

test('a folded tag has no spaces, and is displayed in its first spelling', () => {
  expect(foldTag(' Йо га')).toBe('иога')
  expect(spellTag('иога', ['други', 'Йога', 'йога'])).toBe('йога')
  expect(spellTag('gone', [])).toBe('gone')
})

describe('positions in folded text', () => {
  test('a whole text folds like its parts, and every position is within it', () => {
    const text = fc.string({ unit: 'binary', maxLength: 20 })
    fc.assert(
      fc.property(text, (one) => {
        const { folded, placeOf } = foldWithPlaces(one)
        expect(folded).toBe(foldText(one))
        if (folded === '') return
        const { from, to } = placeOf(0, folded.length)
        expect(from).toBeGreaterThanOrEqual(0)
        expect(to).toBeGreaterThan(from)
        expect(to).toBeLessThanOrEqual(one.length)
      }),
    )
  })

  test('a character that becomes two has one position', () => {
    const { folded, placeOf } = foldWithPlaces('smørÆsop')
    expect(placeOf(folded.indexOf('ae'), folded.indexOf('ae') + 1)).toEqual({ from: 4, to: 5 })
  })
})
