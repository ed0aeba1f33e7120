import { expect, test } from 'vitest'
import { text } from '#contract/fields.ts'
import { TITLE } from '#contract/limits.ts'

const passes = (title: string) => text(TITLE, 'titleValMs').safeParse(title).success

test('a title without visible characters is too short', () => {
  for (const sign of [
    '\u200b',
    '\u200d',
    '\u2060',
    '\u00ad',
    '\u3164',
    '\u115f',
    '\u2800',
    '\ufe0f',
    '\u202e',
  ])
    expect(passes(sign.repeat(5))).toBe(false)
  expect(passes('\u200b \u200c\u2800\u00a0\u{e0020}')).toBe(false)
})

test('a joiner between visible characters is part of the title', () => {
  expect(passes('می\u200cخواهم')).toBe(true)
  expect(passes('👩\u200d🍳')).toBe(true)
})

test('the code of an issue tells which bound was missed', () => {
  const codesOf = (title: string) =>
    text(TITLE, 'titleValMs')
      .safeParse(title)
      .error?.issues.map(({ code }) => code)
  expect(codesOf('x'.repeat(TITLE.min - 1))).toEqual(['too_small'])
  expect(codesOf('x'.repeat(TITLE.min))).toBeUndefined()
  expect(codesOf('👩'.repeat(TITLE.max))).toBeUndefined()
  expect(codesOf('x'.repeat(TITLE.max + 1))).toEqual(['too_big'])
})
