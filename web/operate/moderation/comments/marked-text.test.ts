import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { markWords } from '#web/operate/moderation/comments/marked-text.ts'

const Words = fc.array(fc.string({ maxLength: 8 }), { maxLength: 4 })
const marked = (text: string, ...words: string[]) =>
  markWords(text, words)
    .filter((piece) => piece.isMarked)
    .map((piece) => piece.text)

describe('marked words', () => {
  test('are found in upper and lower case, anywhere', () => {
    expect(marked('Waste! You waste my time, idiot', 'waste', 'IDIOT')).toEqual([
      'Waste',
      'waste',
      'idiot',
    ])
  })
  test('are whole words in both alphabets', () => {
    expect(marked('класа, ас', 'ас')).toEqual(['ас'])
    expect(marked('an idiotic idea', 'idiot')).toEqual([])
  })
  test('may be phrases, spelling tricks and emoticons', () => {
    expect(marked('you are an i.d.i.o.t :)', 'i.d.i.o.t', ':)')).toEqual(['i.d.i.o.t', ':)'])
    expect(marked('go back to school', 'go', 'go back')).toEqual(['go back'])
  })
  test('do not change the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), Words, (text, words) => {
        const pieces = markWords(text, words)
        expect(pieces.map((piece) => piece.text).join('')).toBe(text)
        expect(pieces.every((piece) => piece.text !== '' || text === '')).toBe(true)
      }),
    )
  })
})
