import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nextPath, pathOf } from '#contract/next-path.ts'

const SITE = 'https://bazaar.example'

describe('the page after a sign-in', () => {
  test.each([
    '//evil.example',
    '///evil.example',
    'https://evil.example',
    'https:evil.example',
    '/\\evil.example',
    '\\/evil.example',
    '/\t/evil.example',
    '\t//evil.example',
    '/\n/evil.example',
    '/.//evil.example',
    '/./\\evil.example',
    '/x/..//evil.example',
    '/x/y/../..//evil.example',
    '/%2e//evil.example',
    '/%2e%2e//evil.example',
    '/%2E.//evil.example',
    '/.%2e/%2e//evil.example',
    '/%2f/evil.example',
    '/%5cevil.example',
    '/%09/evil.example',
    '/@evil.example',
    'javascript:alert(1)',
    'evil.example',
    '/a b',
    '/points\u0000',
    '/points\u0085',
    '//[',
    '',
    null,
    undefined,
  ])('%j leads to the home page', (given) => {
    expect(nextPath(given)).toBe('/')
  })

  test.each([
    '/login?next=/points',
    '/LOGIN',
    '/x/../login',
    '/logout',
    '/register#a',
    '/oidc/begin/1',
  ])('a sign-in page leads to the home page: %s', (given) => {
    expect(nextPath(given)).toBe('/')
  })

  test.each([
    '/',
    '/?lang=bg',
    '/lesson/all?search=%D1%83&page=2',
    '/loginish',
    '/tag/a%2Fb',
    '/lesson/details/7#t=90',
    '/search?q=//evil.example',
  ])('a page of the site is preserved: %s', (given) => {
    expect(nextPath(given)).toBe(given)
  })

  test('dot segments are resolved before the path is used', () => {
    expect(nextPath('/x/../points')).toBe('/points')
  })

  const dots = fc.constantFrom('.', '..', '%2e', '%2E%2e', 'x/..')
  const slash = fc.constantFrom('/', '//', '\\', '/\t/', '%2F', '%5c')
  const others = fc.oneof(
    fc.constantFrom('\n', ' ', '\u0000', ':', '@', '?', '#', '[', 'https:', 'javascript:', '%09'),
    fc.constantFrom('evil.example', 'points', 'login', '％2f', '。', '／', 'я'),
  )
  const joined = (...of: fc.Arbitrary<string>[]) => fc.tuple(...of).map((parts) => parts.join(''))
  const addresses = fc.oneof(
    joined(fc.constant('/'), dots, slash, others),
    joined(fc.constant('/'), dots, slash, dots, slash, others),
    fc.array(fc.oneof(dots, slash, others), { maxLength: 10 }).map((parts) => parts.join('')),
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.string({ unit: 'grapheme' }),
  )

  test('whatever is given, following the result stays on the site', () => {
    fc.assert(
      fc.property(addresses, (given) => {
        const path = nextPath(given)
        expect(path).toMatch(/^\/(?![/\\])/)
        expect(new URL(path, SITE).origin).toBe(SITE)
        expect(nextPath(path)).toBe(path)
      }),
      { numRuns: 2000 },
    )
  })

  test('the path of any page stays on the site', () => {
    fc.assert(
      fc.property(addresses, (given) => {
        if (!URL.canParse(SITE + given)) return
        const path = pathOf(new URL(SITE + given))
        expect(new URL(path, SITE).origin).toBe(SITE)
      }),
    )
  })
})
