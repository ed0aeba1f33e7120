import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cutAtMatch } from '#web/layout/search/highlight.ts'

const marked = (title: string, typed: string) =>
  cutAtMatch(title, typed)
    .map(({ text, hit }) => (hit ? `[${text}]` : text))
    .join('')

describe('what a suggestion highlights', () => {
  test('nothing typed and nothing found mark nothing', () => {
    expect(marked('Touch typing', '  ')).toBe('Touch typing')
    expect(marked('Touch typing', 'sql')).toBe('Touch typing')
  })

  test('case and accents do not hide a match', () => {
    expect(marked('Crème brûlée', 'BRULE')).toBe('Crème [brûlé]e')
    expect(marked('Шевица за начало', 'ЗА')).toBe('Шевица [за] начало')
    expect(marked('Йога сутрин', 'ио')).toBe('[Йо]га сутрин')
  })

  test('a loose accent stays with its letter', () => {
    expect(marked('Cafe\u0301 noir', 'cafe')).toBe('[Cafe\u0301] noir')
  })

  test('the pieces together are always the title', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 20 })
    fc.assert(
      fc.property(text, text, (title, typed) => {
        const pieces = cutAtMatch(title, typed)
        expect(pieces.map((piece) => piece.text).join('')).toBe(title)
        expect(pieces.filter((piece) => piece.hit).length).toBeLessThanOrEqual(1)
      }),
    )
  })
})
