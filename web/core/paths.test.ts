import { describe, expect, test } from 'vitest'
import { inLanguageOf, to } from '#web/core/paths.ts'

describe('list URLs', () => {
  test('default values are left out', () => {
    expect(to.lessons({ search: '', sort: 'none', views: 0, page: 1 })).toBe('/lesson/all')
  })

  test('filters are included', () => {
    expect(to.lessons({ search: 'a&b', sort: 'likes', likes: 2, page: 3 })).toBe(
      '/lesson/all?search=a%26b&sort=likes&likes=2&page=3',
    )
  })
})

describe('the language of a URL', () => {
  const url = (path: string) => new URL(path, 'http://bazaar.example')

  test('an unknown or missing language adds nothing', () => {
    expect(inLanguageOf(url('/points?lang=xx'), '/login')).toBe('/login')
    expect(to.login('/points?lang=xx')).toBe('/login?next=%2Fpoints%3Flang%3Dxx')
    expect(inLanguageOf(url('/points'), '/login?lang=en')).toBe('/login?lang=en')
  })

  test('a redirect keeps the language', () => {
    expect(to.login('/points?lang=bg')).toBe('/login?next=%2Fpoints%3Flang%3Dbg&lang=bg')
    expect(inLanguageOf(url('/admin/log?lang=bg'), '/')).toBe('/?lang=bg')
    expect(to.register('/points?lang=bg#sums')).toBe(
      '/register?next=%2Fpoints%3Flang%3Dbg%23sums&lang=bg',
    )
  })

  test('two leading slashes do not lead to another host', () => {
    expect(inLanguageOf(url('/points?lang=bg'), '/.//evil.example')).toBe('/evil.example?lang=bg')
  })

  test('a language chosen on the login page applies to the next page', () => {
    expect(inLanguageOf(url('/login?lang=en'), '/points?lang=bg')).toBe('/points?lang=en')
  })
})
