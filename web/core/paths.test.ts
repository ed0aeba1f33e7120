import { describe, expect, test } from 'vitest'
import { inLanguageOf, to } from '#web/core/paths.ts'

describe('addresses of lists', () => {
  test('what says nothing is left out', () => {
    expect(to.lessons({ search: '', sort: 'none', views: 0, page: 1 })).toBe('/lesson/all')
  })

  test('what narrows the list is written', () => {
    expect(to.lessons({ search: 'a&b', sort: 'likes', likes: 2, page: 3 })).toBe(
      '/lesson/all?search=a%26b&sort=likes&likes=2&page=3',
    )
  })
})

describe('the language of an address', () => {
  const url = (path: string) => new URL(path, 'http://bazaar.example')

  test('a language that there is not, or none, adds nothing', () => {
    expect(inLanguageOf(url('/points?lang=de'), '/login')).toBe('/login')
    expect(to.login('/points?lang=de')).toBe('/login?next=%2Fpoints%3Flang%3Dde')
    expect(inLanguageOf(url('/points'), '/login?lang=en')).toBe('/login?lang=en')
  })

  test('goes with whoever is led elsewhere', () => {
    expect(to.login('/points?lang=bg')).toBe('/login?next=%2Fpoints%3Flang%3Dbg&lang=bg')
    expect(inLanguageOf(url('/admin/log?lang=bg'), '/')).toBe('/?lang=bg')
    expect(to.register('/points?lang=bg#sums')).toBe(
      '/register?next=%2Fpoints%3Flang%3Dbg%23sums&lang=bg',
    )
  })

  test('two slashes at the start stay a path', () => {
    expect(inLanguageOf(url('/points?lang=bg'), '/.//evil.example')).toBe('/evil.example?lang=bg')
  })

  test('changed at the gate, it is the one behind it', () => {
    expect(inLanguageOf(url('/login?lang=en'), '/points?lang=bg')).toBe('/points?lang=en')
  })
})
