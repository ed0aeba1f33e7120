import { describe, expect, it } from 'vitest'
import type { ProfileCard } from '#contract/profile-card.ts'
import { newId } from '#server/kernel/ids.ts'
import { openTestApp } from '#server/testing/setup.ts'

const CROWD = 120

const app = await openTestApp()
for (const name of ['Ivan', 'Élodie', 'Ана-Мария', 'ΝΙΚΟΣ', '李雷', 'x_y']) await app.signUp(name)
const rows = Array.from({ length: CROWD }, (_, place) => `crowd${String(place).padStart(4, '0')}`)
await app.app.database.db
  .insertInto('users')
  .values(
    rows.map((name) => ({
      id: newId(),
      username: name,
      username_skeleton: name,
      username_folded: name,
      name_folded: name === 'crowd0000' ? null : name,
      email: `${name}@people.example`,
      email_folded: `${name}@people.example`,
      password_hash: '',
      erased_at: name === 'crowd0000' ? new Date() : null,
    })),
  )
  .execute()

const all = (query = '') => app.call<ProfileCard[]>('GET', `/identity/allProfiles${query}`)
const find = async (search: string, page = '') => {
  const { body, headers } = await all(`?search=${encodeURIComponent(search)}${page}`)
  return { names: body.map(({ userName }) => userName), total: headers.get('x-total-count') }
}

describe.each(['', '&page=1'])('a search%s', (page) => {
  it.each([
    ['IVAN', ['Ivan']],
    ['ана-м', ['Ана-Мария']],
    ['νικος', ['ΝΙΚΟΣ']],
    ['ΝΙΚΟΣ', ['ΝΙΚΟΣ']],
    ['ÉLO', ['Élodie']],
    ['李', ['李雷']],
    ['iv', ['Ivan']],
    ['x_y', ['x_y']],
    ['_', ['x_y']],
    ['%', []],
    ['crowd0000', []],
    ["'; drop table users", []],
  ])('for %j finds %j', async (search, names) => {
    expect((await find(search, page)).names).toEqual(names)
  })
})

describe('pages', () => {
  it('have fifty people each, and the total', async () => {
    const pages = await Promise.all([1, 2, 3, 4].map((page) => find('crowd', `&page=${page}`)))
    expect(pages.map(({ names }) => names.length)).toEqual([50, 50, 19, 0])
    expect(pages.map(({ total }) => total)).toEqual(Array(4).fill(String(CROWD - 1)))
    const names = pages.flatMap((page) => page.names)
    expect(names).toEqual([...new Set(names)].toSorted())
  })
  it('end at the thousandth, and later ones are empty', async () => {
    expect(await find('', '&page=1000000')).toMatchObject({ names: [] })
  })
})

it('the whole list contains everybody once, without addresses', async () => {
  const { body } = await all()
  expect(new Set(body.map(({ id }) => id)).size).toBe(CROWD - 1 + 6)
  expect(Object.keys(body[0] ?? {}).toSorted()).toEqual(['id', 'imageUrl', 'userName'])
})
