import { describe, expect, test } from 'vitest'
import { planPage } from '#server/pages/cache/plan.ts'

describe('which pages are cached', () => {
  test('a personal page is never cached', () => {
    for (const path of [
      '/points',
      '/lesson/create',
      '/lesson/edit/3',
      '/logout',
      '/lesson/details/0',
      '/lesson/details/1x',
      '/lesson/details/1/2',
      '/course/details/0',
      '/course/details/7/0',
      '/course/details/7/2/3',
      '/course/yours',
      '/nope',
    ]) {
      expect(planPage(path, 'en')).toBeNull()
    }
  })

  test('a login that leads back is not cached', () => {
    expect(planPage('/login?next=/points', 'en')).toBeNull()
    expect(planPage('/login', 'en')?.key).toBe('en /login')
  })

  test('unknown parameters and invalid values share one page', () => {
    const plain = planPage('/lesson/all', 'en')
    expect(planPage('/lesson/all?utm=1&views=9&page=-1&sort=x&likes=', 'en')).toEqual(plain)
    expect(plain).toMatchObject({ url: '/lesson/all', tags: ['lists'] })
  })

  test('known parameters have a page of their own, in any order', () => {
    const plan = planPage('/Lesson/All/?views=2&search=%D1%83&a=b', 'bg')
    expect(plan?.url).toBe('/lesson/all?search=%D1%83&views=2')
    expect(planPage('/lesson/all?search=%D1%83&views=2', 'bg')?.key).toBe(plan?.key)
  })

  test('the language in the URL wins', () => {
    expect(planPage('/?lang=bg', 'en')).toMatchObject({ locale: 'bg', url: '/?lang=bg' })
    expect(planPage('/?lang=xx', 'en')).toMatchObject({ locale: 'en', url: '/' })
    expect(planPage('/?lang=bg', 'en')?.key).not.toBe(planPage('/', 'bg')?.key)
  })

  test("a certificate's page depends on it, in either case, and an invalid code has no cached page", () => {
    const code = '0123456789abcdefghjkmnpqrs'
    expect(planPage(`/certificate/${code}`, 'en')?.tags).toEqual([`certificate:${code}`])
    expect(planPage(`/certificate/${code.toUpperCase()}`, 'en')?.key).toBe(
      planPage(`/certificate/${code}?x=1`, 'en')?.key,
    )
    for (const other of ['yours', code.slice(1), `${code}0`, code.replace('a', 'u')])
      expect(planPage(`/certificate/${other}`, 'en')).toBeNull()
  })

  test("an item's page depends on it, a course's whichever lesson it opens", () => {
    expect(planPage('/lesson/details/7', 'en')?.tags).toEqual(['lesson:7'])
    const url = '/course/details/7/12'
    expect(planPage(url, 'en')).toMatchObject({ tags: ['course:7'], url })
  })

  test('a list of courses ignores filters and sorting by views', () => {
    const plan = planPage('/course/all?views=2&likes=1&sort=views&search=a', 'en')
    expect(plan).toMatchObject({ url: '/course/all?search=a&likes=1', tags: ['lists'] })
  })
})
