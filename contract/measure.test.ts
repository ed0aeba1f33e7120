import { describe, expect, test } from 'vitest'
import { lookOf } from '#contract/questions.ts'
import { countedLength, fits, normalizeLine, normalizeText } from '#contract/measure.ts'

const RANGE = { min: 3, max: 10 }

describe('a minimum', () => {
  test.each([
    ['ab'],
    ['a b'.replace(' ', '').padEnd(6, '\u200b')],
    ['a\u00ad\u00ad\u00adb'],
    ['ab\u3164\u3164\u3164'],
    ['\u115fab\u1160'],
    ['\uffa0\uffa0ab'],
    ['ab\u2800\u2800\u2800'],
    ['a\ufe0f\ufe0fb'],
    ['\u200e\u200ea'],
    ['a\n\n\n\n'],
    ['\u2800\u2800\u2800'],
  ])('is not reached by padding: %j', (text) => {
    expect(fits(text, RANGE)).toBe(false)
  })

  test('counts consecutive spaces as one', () => {
    expect(fits('a        b', { min: 4, max: 20 })).toBe(false)
    expect(fits('a b', RANGE)).toBe(true)
  })

  test('is reached by visible characters of any script', () => {
    for (const text of ['abc', 'щит', 'क्ष', '李小龍', '👩‍👩‍👧', 'a-b'])
      expect([text, fits(text, { min: 3, max: 10 })]).toEqual([text, true])
  })
})

test('padding counts towards the maximum, because it is stored', () => {
  expect(fits(`abc${'\u200b'.repeat(8)}d`, RANGE)).toBe(false)
  expect(countedLength('abcd\u200be', RANGE)).toBe(6)
})

test('direction overrides and control characters are removed, line breaks stay', () => {
  expect(normalizeText(' Kn\u202eots\u2069\r\nof\u0007\trope\r ')).toBe('Knots\nof\trope')
  expect(normalizeLine('Knots\r\nof\trope\u2028long')).toBe('Knots of rope long')
  // Marks don't change the direction of what follows, and joiners are part of words.
  expect(normalizeText('a\u200fb\u200cc')).toBe('a\u200fb\u200cc')
})

test('texts that look the same have one key', () => {
  const same = [
    ['coco', 'сосо'],
    ['Yes', 'Y\u200bes'],
    ['two words', 'two\u00a0 words'],
    ['a', 'a\u3164'],
    ['НОТА', 'HOTA'],
    ['a-b', 'a‐b'],
    ['é', 'e\u0301'],
  ]
  for (const [one = '', other = ''] of same) expect(lookOf(one)).toBe(lookOf(other))
  const different = [
    ['yes', 'Yes'],
    ['x²', 'x2'],
    ['н', 'h'],
    ['1', 'l'],
    ['resume', 'résumé'],
  ]
  for (const [one = '', other = ''] of different) expect(lookOf(one)).not.toBe(lookOf(other))
})
