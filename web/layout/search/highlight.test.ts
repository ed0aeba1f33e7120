import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { markMatch } from '#web/layout/search/highlight.ts'

function marked(title: string, typed: string): string {
  const { text, places } = markMatch(title, typed)
  const [place] = places
  if (place === undefined) return text
  return `${text.slice(0, place[0])}[${text.slice(...place)}]${text.slice(place[1])}`
}

describe('the highlight of a suggestion', () => {
  test('is empty for an empty or missing term', () => {
    expect(marked('Touch typing', '  ')).toBe('Touch typing')
    expect(marked('Touch typing', 'sql')).toBe('Touch typing')
  })

  test('ignores case and accents', () => {
    expect(marked('Crème brûlée', 'BRULE')).toBe('Crème [brûlé]e')
    expect(marked('Шевица за начало', 'ЗА')).toBe('Шевица [за] начало')
    expect(marked('Йога сутрин', 'ио')).toBe('[Йо]га сутрин')
  })

  test('keeps a combining accent with its letter', () => {
    expect(marked('Cafe\u0301 noir', 'cafe')).toBe('[Cafe\u0301] noir')
  })

  test('keeps the title and marks at most one place within it', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 20 })
    fc.assert(
      fc.property(text, text, (title, typed) => {
        const { text: shown, places } = markMatch(title, typed)
        expect(shown).toBe(title)
        expect(places.length).toBeLessThanOrEqual(1)
        for (const [from = -1, to = -1] of places) {
          expect(from).toBeGreaterThanOrEqual(0)
          expect(to).toBeGreaterThan(from)
          expect(to).toBeLessThanOrEqual(title.length)
        }
      }),
    )
  })
})
