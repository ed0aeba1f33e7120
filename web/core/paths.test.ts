import { describe, expect, test } from 'vitest'
import { nextPath, to } from '#web/core/paths.ts'

describe('where a sign-in leads', () => {
  test('an address elsewhere leads home', () => {
    for (const given of [
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      'javascript:1',
      '/a b',
      '',
      null,
    ]) {
      expect(nextPath(given)).toBe('/')
    }
  })

  test('back to a gate leads home', () => {
    expect(nextPath('/login?next=/points')).toBe('/')
    expect(nextPath('/logout')).toBe('/')
  })

  test('a page of ours with its query is kept', () => {
    expect(nextPath('/lesson/all?search=%D1%83&page=2')).toBe('/lesson/all?search=%D1%83&page=2')
    expect(nextPath('/loginish')).toBe('/loginish')
  })
})

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
