import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldTag } from '#contract/fold.ts'
import { lengthOf } from '#contract/measure.ts'
import { TAG_LENGTH, TAGS } from '#contract/limits.ts'
import { parseTags } from '#contract/tags.ts'

describe('tags', () => {
  test('an empty list is refused, one tag is enough', () => {
    expect(parseTags(' , ,, ').problem).toBe('provideTags')
    expect(parseTags('rope')).toEqual({ list: ['rope'], problem: null })
  })

  test('ten are accepted, eleven are not', () => {
    const many = (count: number) => Array.from({ length: count }, (_, place) => `t${place}`).join()
    expect(parseTags(many(10)).problem).toBeNull()
    expect(parseTags(many(11)).problem).toBe('tooManyTags?max=10')
  })

  test('thirty characters are accepted, thirty-one are not', () => {
    expect(parseTags('ж'.repeat(30)).problem).toBeNull()
    expect(parseTags('😀'.repeat(31)).problem).toBe('tagTooLong?max=30')
  })

  test('of any text are clean, unique and stable', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        const { list, problem } = parseTags(text)
        expect(new Set(list).size).toBe(list.length)
        for (const tag of list) expect(tag).not.toMatch(/[\s,]|^$/u)
        expect(parseTags(list.join(',')).list).toEqual(list)
        const fits =
          list.length >= TAGS.min &&
          list.length <= TAGS.max &&
          list.every((tag) => lengthOf(tag) <= TAG_LENGTH) &&
          // Other tests cover these two refusals.
          list.every((tag) => !['', '.', '..'].includes(foldTag(tag)))
        expect(problem === null).toBe(fits)
      }),
    )
  })
})

test('of several spellings of a tag, the first one stays', () => {
  expect(parseTags('Music,music, MUSIC,Йога,иога,mu\u200bsic').list).toEqual(['Music', 'Йога'])
})

test.each([
  ['\u200b', 'tagInvisible'],
  ['\u3164,rope', 'tagInvisible'],
  ['\u2800', 'tagInvisible'],
  ['\u0301', 'tagInvisible'],
  ['.', 'tagDots'],
  ['rope,..', 'tagDots'],
  ['.\u200b.', 'tagDots'],
])('%j is refused as %s', (given, problem) => {
  expect(parseTags(given).problem).toBe(problem)
})

test('direction overrides and control characters are removed from tags', () => {
  expect(parseTags('ro\u202epe\u0007,a\u2069').list).toEqual(['rope', 'a'])
})
