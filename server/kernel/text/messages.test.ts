import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCookies } from '#server/kernel/http/http.ts'
import { chooseLocale, translate, translatePacked } from '#server/kernel/text/messages.ts'

describe('the language', () => {
  test('of the URL wins over the cookie, which wins over the browser', () => {
    expect(chooseLocale('bg', 'en', 'en')).toBe('bg')
    expect(chooseLocale(undefined, 'bg', 'en')).toBe('bg')
    expect(chooseLocale(undefined, undefined, 'bg-BG,bg;q=0.9,en;q=0.8')).toBe('bg')
  })

  test('is the one the browser prefers, or English', () => {
    expect(chooseLocale(undefined, undefined, 'fr, en;q=0.3, bg;q=0.7')).toBe('bg')
    expect(chooseLocale(undefined, undefined, 'bg;q=0, en;q=0.1')).toBe('en')
    expect(chooseLocale('fr', 'es', 'fr')).toBe('en')
  })

  test('is always supported, whatever the header', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (header) => {
        expect(['en', 'bg']).toContain(chooseLocale(undefined, undefined, header))
      }),
    )
  })
})

test('numbers in messages follow the plural of the language', () => {
  expect(translate('en', 'tooManyAttempts', { seconds: 1 })).toContain('1 second ')
  expect(translate('bg', 'tooManyAttempts', { seconds: 2 })).toContain('2 секунди')
})

test('what is no key of ours becomes the bland sentence', () => {
  expect(translatePacked('en', 'Invalid input: expected string')).toBe(
    'Please check what you entered.',
  )
  expect(translatePacked('en', 'constructor')).toBe('Please check what you entered.')
})

test('any cookie header is parsed safely, and the first of a name counts', () => {
  expect(readCookies('a=1; b=2; a=3')['a']).toBe('1')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (header) => {
      expect(Object.getPrototypeOf(readCookies(header))).toBeNull()
    }),
  )
})
