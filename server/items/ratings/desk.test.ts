import { expect, test } from 'vitest'
import type { CommentCounts } from '#contract/comments.ts'
import type { ModeratedRating } from '#contract/ratings.ts'
import { setRole } from '#server/people/accounts/store.ts'
import { done } from '#server/testing/http/answers.ts'
import { addPeople, signUpAll } from '#server/testing/people.ts'
import { openTestApp } from '#server/testing/setup.ts'

interface Page {
  readonly ratings: readonly ModeratedRating[]
  readonly total: number
  readonly labels: CommentCounts
}

const NONE = { ALL: 0, POSITIVE: 0, NEUTRAL: 0, NEGATIVE: 0, TOXIC: 0, UNKNOWN: 0, NONE: 0 }
/** The AI opinion of each text, or null. */
const OPINIONS = ['POSITIVE', 'POSITIVE', 'NEGATIVE', 'TOXIC', null, null, null] as const

const app = await openTestApp()
const { ann, chief } = await signUpAll(app, 'ann', 'chief')
const { db } = app.app.database
await setRole(db, 'chief', 'administrator')
const { id } = await app.publishLesson(ann)
const people = await addPeople(app, OPINIONS.length + 1)
await db
  .insertInto('ratings')
  .values(
    people.map(({ session }, n) => ({
      lesson_id: id,
      user_id: session._id,
      stars: 4,
      // The last one has no text, and moderation doesn't list it.
      text: n < OPINIONS.length ? `What person ${n} thinks of it.` : null,
      prediction: OPINIONS[n] ?? null,
      created_at: new Date(),
    })),
  )
  .execute()
await db
  .updateTable('lessons')
  .set({ ratings: people.length, rating_stars: 4 * people.length })
  .where('id', '=', id)
  .execute()

const browse = (query = '') => done<Page>(app, chief, `GET /rating/browse${query}`)

test('each opinion is counted, whichever is selected', async () => {
  const labels = { ...NONE, ALL: 7, POSITIVE: 2, NEGATIVE: 1, TOXIC: 1, NONE: 3 }
  expect(await browse()).toMatchObject({ total: 7, labels })
  const chosen = await browse('?label=POSITIVE')
  expect([chosen.total, chosen.ratings.length, chosen.labels]).toEqual([2, 2, labels])
  expect(await browse('?label=NONE')).toMatchObject({ total: 3, labels })
  expect(await browse('?label=UNKNOWN')).toMatchObject({ total: 0, ratings: [], labels })
})

test('deleted ratings are counted separately', async () => {
  expect((await browse('?deleted=on')).labels).toEqual(NONE)
  const [toxic] = (await browse('?label=TOXIC')).ratings
  const json = { ids: [toxic?.id] }
  await done(app, chief, 'POST /rating/delete', json)
  expect((await browse('?deleted=on')).labels).toEqual({ ...NONE, ALL: 1, TOXIC: 1 })
  expect((await browse()).labels).toMatchObject({ ALL: 6, TOXIC: 0 })
})
