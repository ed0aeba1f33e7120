import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import type { AlsoUnlocked, LessonCard } from '#contract/lessons.ts'
import { createTestApp, type LessonForm, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { formOf } from '#server/testing/http/forms.ts'
import { signUpAll } from '#server/testing/people.ts'

const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000', WELCOME_POINTS: '5000' })
const ann = await app.signUp('ann')
afterAll(() => app.close())

const recommended = async (as: Person, lessonId?: number) => {
  const query = lessonId === undefined ? '' : `?lesson=${lessonId}`
  const cards = await done<LessonCard[]>(app, as, `GET /lesson/recommended${query}`)
  return cards.map(({ id }) => id)
}
const publish = async (tags: string, change: Partial<LessonForm> = {}, as = ann) =>
  (await app.publishLesson(as, { tags, ...change })).id
async function publishAll(count: number, tags: string): Promise<number[]> {
  const ids: number[] = []
  for (let n = 0; n < count; n += 1) ids.push(await publish(tags))
  return ids
}
const buy = (as: Person, id: number, kind = 'lesson') => done(app, as, `POST /${kind}/buy/${id}`)
/** Gives them so many views that they are among the popular lessons. */
const watch = (ids: readonly number[], views: number) =>
  app.app.database.db.updateTable('lessons').set({ views }).where('id', 'in', ids).execute()

test('without purchases or likes popular lessons are recommended, best first', async () => {
  const ids = await publishAll(10, 'anything')
  for (const [place, id] of ids.entries()) await watch([id], 1000 + place)
  const bob = await app.signUp('bob')
  expect(await recommended(bob)).toEqual(ids.toReversed().slice(0, 8))
  expect(await recommended(bob, 999_999), 'all of one author').toHaveLength(8)
})

test('own and bought lessons are not recommended', async () => {
  const [own, course] = [await publishAll(2, 'mine'), await app.publishCourse(ann)]
  const carl = await app.signUp('carl')
  const [bought = 0, ...others] = await publishAll(3, 'held')
  const throughCourse = course.lessons.map(({ id }) => id)
  await watch([...own, bought, ...throughCourse, ...others], 5000)
  await buy(carl, bought)
  await buy(carl, course.id, 'course')
  const found = await recommended(carl)
  expect(found).toHaveLength(8)
  expect(found).toEqual(expect.arrayContaining(others))
  for (const id of [bought, ...throughCourse]) expect(found).not.toContain(id)
  expect(await recommended(ann)).toEqual([])
})

test('deleted lessons are not recommended', async () => {
  const dan = await app.signUp('dan')
  const [first = 0, second = 0] = await publishAll(2, 'vanishing')
  await buy(dan, first)
  expect((await recommended(dan))[0]).toBe(second)
  await done(app, ann, `DELETE /lesson/${second}`)
  expect(await recommended(dan)).not.toContain(second)
})

test('lessons with the tags of purchases and likes come before popular ones', async () => {
  const eve = await app.signUp('eve')
  const [bought = 0, ...alike] = await publishAll(3, 'Knots,rope')
  const [liked = 0, kin = 0] = await publishAll(2, 'tea')
  const half = await publish('knots')
  await buy(eve, bought)
  await done(app, eve, `POST /lesson/like/${liked}`)
  const found = await recommended(eve)
  expect(found.slice(0, 2)).toEqual(alike.toReversed())
  expect(found.slice(2, 5).toSorted((one, other) => one - other)).toEqual([liked, kin, half])
})

test('purchases of people with the same purchases are recommended', async () => {
  const { gus, hal } = await signUpAll(app, 'gus', 'hal')
  const shared = await publish('sharedone')
  const theirs = await publish('quitedifferent')
  for (const id of [shared, theirs]) await buy(hal, id)
  expect(await recommended(gus)).not.toContain(theirs)
  await buy(gus, shared)
  expect((await recommended(gus))[0]).toBe(theirs)
})

describe('suggestions next to a lesson', () => {
  test('stand those of its course, then those with its tags, then what its buyers unlocked', async () => {
    const { kim, lou, max } = await signUpAll(app, 'kim', 'lou', 'max')
    const course = await app.publishCourse(ann)
    const [lessonId = 0, ...siblings] = course.lessons.map(({ id }) => id)
    await done(app, ann, `PATCH /lesson/${lessonId}`, formOf({ tags: 'oboe,reed,wind' }))
    const both = await publish('oboe,reed,wind', {}, kim)
    const one = await publish('reed,wind', {}, kim)
    const unlocked = await publish('nothing alike', {}, lou)
    for (const id of [lessonId, unlocked]) await buy(max, id)
    const nan = await app.signUp('nan')
    const found = await recommended(nan, lessonId)
    expect(siblings).toEqual(expect.arrayContaining(found.slice(0, 2)))
    expect(found.slice(2, 5)).toEqual([both, one, unlocked])
    expect(found).not.toContain(lessonId)
    expect(found).toHaveLength(8)
  })

  test('of one author stand two at most while there are others', async () => {
    const authors = await Promise.all(['oda', 'pit', 'quin'].map((name) => app.signUp(name)))
    const [lessonId = 0, ...alike] = await publishAll(5, 'quilting,patches')
    const others: number[] = []
    for (const author of authors) others.push(await publish('quilting,patches', {}, author))
    const found = await recommended(await app.signUp('ros'), lessonId)
    expect(found.slice(0, 5).toSorted((one, other) => one - other)).toEqual(
      [...alike.slice(-2), ...others].toSorted((one, other) => one - other),
    )
    expect(found.filter((id) => alike.includes(id))).toHaveLength(2)
    expect(found).toHaveLength(8)
  })

  test('the second reader gets none that they have, though the first did', async () => {
    const { sam, tia } = await signUpAll(app, 'sam', 'tia')
    const [lessonId = 0, bought = 0, left = 0] = await publishAll(3, 'origami,paper')
    expect(await recommended(sam, lessonId)).toEqual(expect.arrayContaining([bought, left]))
    await buy(tia, bought)
    const found = await recommended(tia, lessonId)
    expect(found[0]).toBe(left)
    expect(found).not.toContain(bought)
    expect(await recommended(ann, lessonId)).not.toContain(left)
  })

  test('what was published, edited or deleted since is seen by who asks next', async () => {
    const uma = await app.signUp('uma')
    const [lessonId = 0, first = 0] = await publishAll(2, 'lathe,wood')
    expect((await recommended(uma, lessonId))[0]).toBe(first)
    const second = await publish('lathe,wood')
    expect((await recommended(uma, lessonId))[0]).toBe(second)
    await done(app, ann, `DELETE /lesson/${second}`)
    expect(await recommended(uma, lessonId)).not.toContain(second)
    await done(app, ann, `PATCH /lesson/${first}`, formOf({ tags: 'other,wood' }))
    expect((await recommended(uma, lessonId))[0]).not.toBe(first)
  })
})

describe('suggestions next to a locked lesson', () => {
  const also = async (id: number, as?: Person) => {
    const { because, lessons } = await done<AlsoUnlocked>(app, as, `GET /lesson/also/${id}`)
    return { because, ids: lessons.map((lesson) => lesson.id) }
  }

  const passAMinute = () => {
    app.clock.time = new Date(app.clock.now().getTime() + 61_000)
  }

  test('stands what the same people unlocked, most of them first; without them what shares its tags', async () => {
    const author = await app.signUp('author-of-also')
    const lessons: number[] = []
    for (let n = 0; n < 5; n += 1) lessons.push(await publish('also,besides', {}, author))
    const [locked = 0, second = 0, third = 0, fourth = 0, tagged = 0] = lessons
    // Nobody has unlocked any, so all lessons with the tags follow, newest first.
    expect(await also(locked)).toMatchObject({
      because: 'tags',
      ids: [tagged, fourth, third, second],
    })
    const buyers = [await app.signUp('also1'), await app.signUp('also2')]
    for (const buyer of buyers) for (const id of [locked, third]) await buy(buyer, id)
    await buy(buyers[0] as Person, second)
    // Two are a coincidence.
    passAMinute()
    expect((await also(locked)).because).toBe('tags')
    await buy(buyers[1] as Person, fourth)
    passAMinute()
    expect(await also(locked)).toMatchObject({ because: 'unlocked', ids: [third, fourth, second] })
    // Cached candidates must not include lessons that the viewer has or made.
    const reader = await app.signUp('also3')
    await buy(reader, third)
    for (let turn = 0; turn < 2; turn += 1) {
      expect(await also(locked, reader)).toMatchObject({
        because: 'unlocked',
        ids: [fourth, second],
      })
      expect((await also(locked, author)).ids).toEqual([])
      expect((await also(locked)).ids).toEqual([third, fourth, second])
    }
    await done(app, author, `DELETE /lesson/${third}`)
    expect((await also(locked)).ids).not.toContain(third)
  })

  test('the same subject is two shared tags, the rarer the better, or one that few lessons have', async () => {
    const locked = await publish('seldom,usual,daily')
    const rarer = await publish('seldom,usual')
    const commoner = await publish('usual,daily')
    const single = await publish('seldom')
    await publishAll(11, 'daily')
    expect(await also(locked)).toMatchObject({ because: 'tags', ids: [rarer, commoner] })
    expect((await recommended(await app.signUp('vic'), locked)).slice(0, 2)).toEqual([
      rarer,
      commoner,
    ])
    // Of a thousand lessons, a tag of three is rare, and a tag of thirteen is not.
    await sql`select setval(pg_get_serial_sequence('lessons', 'id'), 1000)`.execute(
      app.app.database.db,
    )
    await publish('elsewhere')
    expect((await also(locked)).ids).toEqual([rarer, commoner, single])
  })
})
