import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { markWords } from '#web/moderation/comments/marked-text.ts'

const Words = fc.array(fc.string({ maxLength: 8 }), { maxLength: 4 })
const marked = (text: string, ...words: string[]) =>
  markWords(text, words)
    .filter((piece) => piece.isMarked)
    .map((piece) => piece.text)

describe('words that decided', () => {
  test('are found in any case, wherever they stand', () => {
    expect(marked('Waste! You waste my time, idiot', 'waste', 'IDIOT')).toEqual([
      'Waste',
      'waste',
      'idiot',
    ])
  })
  test('are whole words of either alphabet', () => {
    expect(marked('класа, ас', 'ас')).toEqual(['ас'])
    expect(marked('an idiotic idea', 'idiot')).toEqual([])
  })
  test('may be phrases, tricks and signs', () => {
    expect(marked('you are an i.d.i.o.t :)', 'i.d.i.o.t', ':)')).toEqual(['i.d.i.o.t', ':)'])
    expect(marked('go back to school', 'go', 'go back')).toEqual(['go back'])
  })
  test('leave the text as it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), Words, (text, words) => {
        const pieces = markWords(text, words)
        expect(pieces.map((piece) => piece.text).join('')).toBe(text)
        expect(pieces.every((piece) => piece.text !== '' || text === '')).toBe(true)
      }),
    )
  })
})
