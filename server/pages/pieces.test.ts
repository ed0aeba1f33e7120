/** Pieces of pages, written past React: every page is the same as when React renders all of it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setRole } from '#server/accounts/store.ts'
import { createTestApp, type Person, type TestApp } from '#server/testing/app.ts'
import { loadSourceRenderer } from '#server/testing/pages.ts'

let app: TestApp
let people: Record<'owner' | 'buyer' | 'administrator', Person>
let addresses: string[]
/** Whether pages are made of pieces. */
let inPieces = true

beforeAll(async () => {
  const renderer = await loadSourceRenderer()
  app = await createTestApp(
    { DAILY_REWARD_LIMIT: '1000' },
    {
      ...renderer,
      render: (request) => renderer.render({ ...request, pieces: inPieces }),
    },
  )
  const owner = await app.signUp('owner')
  const buyer = await app.signUp('buyer')
  const administrator = await app.signUp('chief')
  people = { owner, buyer, administrator }
  await setRole(app.app.database.db, 'chief', 'administrator')
  await app.give(buyer, 1000)
  const { id: course } = await app.publishCourse(owner)
  const { id } = await app.publishLesson(owner, { title: 'Bread & "salt" <b>' })
  await app.call('POST', `/lesson/buy/${id}`, { as: buyer })
  for (const [as, text] of [
    [owner, 'What one needs is <kb-piece id="0"></kb-piece> flour.'],
    [buyer, 'И малко търпение, $& и сол.'],
  ] as const)
    await app.call('POST', `/comment/create/${id}`, { as, json: { text } })
  addresses = [
    '/',
    '/lesson/all',
    '/course/all',
    `/lesson/details/${id}`,
    `/course/details/${course}`,
    '/lesson/bought',
    `/profile/${owner.session._id}`,
    `/profile/${owner.session._id}?show=courses`,
    `/profile/${owner.session._id}?show=comments`,
  ]
})
afterAll(() => app.close())

/** React writes hints for pictures in front of everything, in an order that has no meaning. */
const HINT = /<link rel="preload" as="image"[^>]*>/g

async function pageOf(path: string, as: Person, lang: string): Promise<string> {
  const answer = await fetch(app.url + path, {
    headers: { cookie: `lang=${lang}; ${as.cookie}` },
  })
  const html = await answer.text()
  return (html.match(HINT) ?? []).toSorted().join('') + html.replaceAll(HINT, '')
}

/** Where two pages begin to differ. */
function difference(one: string, other: string): string {
  const place = Array.from(one).findIndex((character, index) => character !== other[index])
  return one === other
    ? ''
    : `${one.slice(place - 50, place + 200)} … ${other.slice(place, place + 200)}`
}

describe.each(['en', 'bg'])('in %s', (lang) => {
  test.each(['owner', 'buyer', 'administrator'] as const)(
    'the %s sees the same pages as React renders',
    async (role) => {
      const ask = (path: string) => pageOf(path, people[role], lang)
      // Each view counts once: from then on the numbers stay.
      for (const path of addresses) await ask(path)
      await app.app.views.flush()
      // Numbers on chips are counted again only when half a minute is over.
      app.clock.time = app.clock.now()
      let pieces = 0
      for (const path of addresses) {
        inPieces = false
        const whole = await ask(path)
        inPieces = true
        expect(difference(whole, await ask(path))).toBe('')
        pieces += whole.match(/<article class="(?:card|say)"/g)?.length ?? 0
      }
      app.clock.time = null
      expect(pieces).toBeGreaterThan(20)
    },
  )
})

test('a comment and a price that changed are shown as they are now', async () => {
  const { owner, buyer } = people
  const { id } = await app.publishLesson(owner)
  const before = await pageOf('/lesson/all', buyer, 'en')
  expect(before).toContain(`href="/lesson/details/${id}"`)
  await app.call('POST', `/lesson/buy/${id}`, { as: buyer })
  const after = await pageOf('/lesson/all', buyer, 'en')
  expect(after.split('ribbon').length).toBe(before.split('ribbon').length + 1)
  const { body } = await app.call<{ id: number }>('POST', `/comment/create/${id}`, {
    as: buyer,
    json: { text: 'Somebody says it for the first time.' },
  })
  const lesson = `/lesson/details/${id}`
  expect(await pageOf(lesson, owner, 'en')).toContain(`id="comment-${body.id}"`)
  await app.call('DELETE', `/comment/delete/${body.id}`, { as: buyer })
  expect(await pageOf(lesson, owner, 'en')).not.toContain(`id="comment-${body.id}"`)
})

test.each([
  ['', 'ownLessons'],
  ['?show=courses', 'ownCourses'],
  ['?show=comments', 'comments'],
])('the data of a profile%s has the list that is shown alone', async (query, list) => {
  const address = `/profile/${people.owner.session._id}`
  const html = await pageOf(address + query, people.buyer, 'en')
  const data: unknown = JSON.parse(/id="page">(.*?)<\/script>/.exec(html)?.[1] ?? 'null')
  expect(data).toMatchObject({
    loaderData: {
      '/profile/:id': {
        profile: {
          ownLessons: [],
          ownCourses: [],
          comments: [],
          counts: { lessons: expect.any(Number) },
          [list]: expect.arrayContaining([expect.objectContaining({ id: expect.any(Number) })]),
        },
      },
    },
  })
})
