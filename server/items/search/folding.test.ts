/** Everything that is searched is folded in the same way. */
import { afterAll, expect, test } from 'vitest'
import type { ModeratedComment } from '#contract/comments.ts'
import type { ItemSuggestion, SearchAnswer, TaggedAnswer } from '#contract/search.ts'
import type { ProfileCard } from '#contract/profile-card.ts'
import { setRole } from '#server/people/accounts/store.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'

/** Texts as written, in titles, tags and comments, and as typed in searches. */
const TEXTS: readonly (readonly [written: string, typed: string])[] = [
  ['Йогурт', 'иогурт'],
  ['Мёд', 'МЕД'],
  ['Über', 'uber'],
  ['Łatwo', 'latwo'],
  ['Đakovo', 'dakovo'],
  ['Smørrebrød', 'smorrebrod'],
  ['Æbler', 'aebler'],
  ['Cœur', 'coeur'],
  ['Straßen', 'STRASSEN'],
  ['Rock’n’roll', "rock'n'roll"],
  ['Black–white', 'black-white'],
  ['4×4', '4x4'],
  ['Sof\u00adtware', 'software'],
  ['Heart\ufe0fbeat', 'heartbeat'],
  ['Ｗｉｄｅ', 'wide'],
]

/** Names and the terms that find them. */
const NAMES: readonly (readonly [name: string, ...typed: string[]])[] = [
  ['ивайло', 'ивайло', 'ИВАЙЛО', 'иваило', 'ивай'],
  ['пётр', 'петр', 'Пётр'],
  ['jürgen', 'jurgen', 'JÜRGEN'],
  ['leila.h', 'leila', 'leila.h', 'Leila'],
  ['maria_gancheva', 'gancheva', 'maria', 'maria_gan'],
  ['jan-łukasz', 'lukasz', 'łukasz', 'jan'],
  ['bjørn', 'bjorn'],
]

const lessonOf = new Map<string, number>()
const authorOf = new Map<string, number>()

const app = await createTestApp({ DAILY_REWARD_LIMIT: '10000' })
const admin = await app.signUp('desk')
await setRole(app.app.database.db, 'desk', 'administrator')
afterAll(() => app.close())

const comment = async (as: Person, lessonId: number, text: string) => {
  const path = `/comment/create/${lessonId}`
  expect((await app.call('POST', path, { as, json: { text } })).status).toBe(200)
}

interface Listed {
  readonly id: number
}
const get = async <Body>(path: string, typed: string, as?: Person) =>
  (await app.call<Body>('GET', `${path}${encodeURIComponent(typed)}`, { as })).body
const idsOf = (list: readonly Listed[]) => list.map(({ id }) => id)
const onDesk = async (typed: string) =>
  (await get<ModeratedComment[]>('/comment/all?search=', typed, admin)).map(
    ({ lessonId }) => lessonId,
  )
const bySearch = async (typed: string) =>
  idsOf((await get<SearchAnswer>('/search?q=', typed)).lessons)

/** The ids of the lessons that each kind of search finds. */
const FINDS: Readonly<Record<string, (typed: string) => Promise<readonly number[]>>> = {
  'the list': async (typed) => idsOf(await get<Listed[]>('/lesson/all?search=', typed)),
  'the suggestions': async (typed) =>
    idsOf(await get<ItemSuggestion[]>('/search/suggest?kind=lesson&q=', typed)),
  'the search': bySearch,
  'the search of a tag': async (typed) =>
    idsOf((await get<SearchAnswer>('/search?q=about&tag=', typed)).lessons),
  'the tag': async (typed) => idsOf((await get<TaggedAnswer>('/tag/', typed)).lessons),
  'the desk': onDesk,
}

async function expectTexts(find: (typed: string) => Promise<readonly number[]>): Promise<void> {
  for (const [written, typed] of TEXTS)
    for (const one of [typed, written])
      expect([one, await find(one)]).toEqual([one, expect.arrayContaining([lessonOf.get(written)])])
}

for (const [written] of TEXTS) {
  const { id } = await app.publishLesson(admin, { title: `About ${written}`, tags: written })
  lessonOf.set(written, id)
  await comment(admin, id, `A word on ${written} from here`)
}
for (const [name] of NAMES) {
  const author = await app.signUp(name)
  const { id } = await app.publishLesson(author, { title: 'Plain title', tags: 'plain' })
  authorOf.set(name, id)
  await comment(author, id, 'Questions are welcome here')
}
await app.runJobs()

test.each(Object.entries(FINDS))('%s finds a text by each spelling', async (_, find) => {
  await expectTexts(find)
})

test('people, their lessons and their comments are found by each spelling and by parts', async () => {
  const reader = await app.signUp('reader')
  for (const [name, ...typed] of NAMES)
    for (const one of [name, ...typed]) {
      const searched = await get<SearchAnswer>('/search?q=', one, reader)
      const listed = await get<ProfileCard[]>('/identity/allProfiles?search=', one)
      const places = {
        search: searched.people?.map(({ userName }) => userName),
        list: listed.map(({ userName }) => userName),
        lessons: idsOf(searched.lessons),
        desk: await onDesk(one),
      }
      const id = authorOf.get(name)
      expect([one, places]).toEqual([
        one,
        {
          search: expect.arrayContaining([name]),
          list: expect.arrayContaining([name]),
          lessons: expect.arrayContaining([id]),
          desk: expect.arrayContaining([id]),
        },
      ])
    }
})

test('beside an author’s name the other words must be found too', async () => {
  expect(await bySearch('leila plain')).toEqual([authorOf.get('leila.h')])
  expect(await bySearch('leila yogurt')).not.toContain(lessonOf.get('Йогурт'))
})

test('tags are shown as they are written', async () => {
  const { tags } = await get<SearchAnswer>('/search?q=', 'иогурт')
  expect(tags).toEqual([{ tag: 'йогурт', items: 1 }])
})

test('an umlaut written with an e is found as a typo by the search', async () => {
  expect(await bySearch('ueber')).toEqual([lessonOf.get('Über')])
})
