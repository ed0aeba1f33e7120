import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Comment, CommentChanges, ModeratedComment } from '#contract/comments.ts'
import type { Problem } from '#contract/errors.ts'
import type { OpenLesson } from '#contract/lessons.ts'
import { setRole } from '#server/people/accounts/store.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { buy } from '#server/testing/learning/items.ts'
import { signUpAll } from '#server/testing/people.ts'

let lessonId: number
const app = await createTestApp({ DAILY_REWARD_LIMIT: '1000', WELCOME_POINTS: '10000' })
const { ann, bob, admin } = await signUpAll(app, 'ann', 'bob', 'admin')
await setRole(app.app.database.db, 'admin', 'administrator')
beforeEach(async () => {
  lessonId = (await app.publishLesson(ann)).id
})
afterEach(() => {
  app.clock.time = null
})
afterAll(() => app.close())

const TEXT = 'This made it clear to me.'
const MINUTE = 60_000
const send = (as: Person, json: object = {}, id = lessonId) =>
  app.call<Comment & Problem>('POST', `/comment/create/${id}`, {
    as,
    json: { text: TEXT, ...json },
  })
const write = (as: Person, json: object = {}, id = lessonId) =>
  done<Comment>(app, as, `POST /comment/create/${id}`, { text: TEXT, ...json })
const list = (as: Person, query = '') =>
  done<Comment[]>(app, as, `GET /comment/lesson/${lessonId}${query}`)
const edit = (as: Person, id: number, text = 'Said in better words.') =>
  app.call<Comment & Problem>('PUT', `/comment/edit/${id}`, { as, json: { text } })
const remove = (as: Person, id: number) =>
  app.call<Problem>('DELETE', `/comment/delete/${id}`, { as })
const show = (as: Person) => done<OpenLesson>(app, as, `GET /lesson/${lessonId}`)

test('lessons that are missing or deleted have no comments, and no changes to them', async () => {
  const comment = await write(ann)
  await done(app, ann, `DELETE /lesson/${lessonId}`)
  expect((await remove(ann, comment.id)).status).toBe(404)
  for (const gone of [lessonId, 999_999]) {
    expect((await send(ann, {}, gone)).status).toBe(404)
    for (const path of [`/comment/lesson/${gone}`, `/comment/changes/${gone}`])
      expect((await app.call('GET', path, { as: ann })).status).toBe(404)
  }
})

test('owner, buyer and administrator write and read', async () => {
  const { title } = await show(ann)
  await buy(app, bob, 'lesson', lessonId)
  for (const person of [ann, bob, admin]) {
    const body = await write(person)
    expect(body).toEqual({
      id: body.id,
      text: TEXT,
      user: person.session._id,
      userName: person.session.username,
      profilePicture: person.session.imageUrl,
      lessonId,
      lessonTitle: title,
      date: body.date,
      mine: true,
      replyTo: null,
      byAuthor: person === ann,
      edited: null,
      replies: 0,
    })
  }
  const comments = await list(bob)
  expect(comments.map(({ userName, mine }) => [userName, mine])).toEqual([
    ['admin', false],
    ['bob', true],
    ['ann', false],
  ])
  expect(await show(bob)).toMatchObject({ commentCount: 3, comments })
})

test('a text is kept as it was written, whatever it looks like', async () => {
  const texts = [
    '<script>alert(1)</script> & "quotes"',
    'Здравей, как си? 😀',
    'first line\nsecond',
  ]
  for (const text of texts) expect((await write(ann, { text })).text).toBe(text)
  await write(ann, { text: '  two lines\r\nof text \n' })
  expect((await list(ann)).map(({ text }) => text)).toEqual(
    [...texts, 'two lines\nof text'].toReversed(),
  )
})

test('a draft that is sent ten times makes one comment, also after what it answers was deleted', async () => {
  const root = await write(ann)
  const draft = { replyTo: root.id, draftId: randomUUID() }
  const answers = await Promise.all(Array.from({ length: 10 }, () => write(ann, draft)))
  await remove(ann, root.id)
  const again = await write(ann, { ...draft, text: 'Another text this time.' })
  const ids = new Set([...answers, again].map(({ id }) => id))
  expect([ids.size, again.text, (await show(ann)).commentCount]).toEqual([1, TEXT, 1])
  const other = await write(admin, { draftId: draft.draftId })
  expect(ids).not.toContain(other.id)
})

test('a comment is deleted once, and its row is kept for those who moderate', async () => {
  const { id } = await write(ann)
  await write(ann)
  const answers = await Promise.all(Array.from({ length: 20 }, () => remove(ann, id)))
  expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 404)).toHaveLength(19)
  expect((await show(ann)).commentCount).toBe(1)
  const row = await app.app.database.db
    .selectFrom('comments')
    .select(['text', 'deleted_by'])
    .where('id', '=', id)
    .executeTakeFirst()
  expect(row).toEqual({ text: TEXT, deleted_by: ann.session._id })
})

test('ten comments a minute are enough, deleted ones count', async () => {
  const limited = await createTestApp({ RATE_LIMITS: 'on' }, null, app)
  onTestFinished(() => limited.close())
  const carl = await app.signUp('carl')
  await buy(app, carl, 'lesson', lessonId)
  const json = { text: TEXT }
  const post = () =>
    limited.call<Comment>('POST', `/comment/create/${lessonId}`, { as: carl, json })
  const start = Date.now()
  for (let n = 0; n < 10; n += 1) {
    limited.clock.time = new Date(start + n * 1000)
    const { status, body } = await post()
    expect(status).toBe(200)
    if (n === 5) await remove(carl, body.id)
  }
  const { status, headers } = await post()
  expect([status, headers.get('retry-after')]).toEqual([429, '51'])
  limited.clock.time = new Date(start + 60_000)
  expect([(await post()).status, (await post()).status]).toEqual([200, 429])
})

test('pages go back and forth without loss or repetition', async () => {
  await app.app.database.pool.query(
    `insert into comments (lesson_id, user_id, text, text_folded)
     select $1, $2, 'Comment number ' || n, 'comment number ' || n from generate_series(1, 120) n`,
    [lessonId, ann.session._id],
  )
  const page = async (query = '') => (await list(ann, query)).map(({ id }) => id)
  const newest = await page()
  expect((await show(ann)).comments.map(({ id }) => id)).toEqual(newest)
  const second = await page(`?before=${newest.at(-1)}`)
  const third = await page(`?before=${second.at(-1)}`)
  const all = [...newest, ...second, ...third]
  expect([newest.length, second.length, third.length, new Set(all).size]).toEqual([50, 50, 20, 120])
  expect(all).toEqual(all.toSorted((one, other) => other - one))
  expect(await page(`?before=${all.at(-1)}`)).toEqual([])
  expect(await page('?before=0')).toEqual([])
  expect((await page('?after=0')).at(-1)).toBe(all.at(-1))
  // Pages after the oldest comment return the next 50, until there are fewer.
  const next = await page(`?after=${all.at(-1)}`)
  const rest = await page(`?after=${next[0]}`)
  const last = await page(`?after=${rest[0]}`)
  expect([...last, ...rest, ...next]).toEqual(all.slice(0, -1))
  expect(await page(`?after=${newest[0]}`)).toEqual([])
})

describe('an answer', () => {
  test('is refused to an answer, to a deleted comment, to one of another lesson, to none', async () => {
    const root = await write(ann)
    const answer = await write(ann, { replyTo: root.id })
    const gone = await write(ann)
    await remove(ann, gone.id)
    const foreign = await write(ann, {}, (await app.publishLesson(ann)).id)
    for (const replyTo of [answer.id, gone.id, foreign.id, 999_999]) {
      const { status, body } = await send(ann, { replyTo })
      expect([status, Object.keys(body.errors ?? {})]).toEqual([400, ['replyTo']])
    }
    expect(await list(ann)).toHaveLength(2)
  })
  test('is in the list, newest first, with what it answers and who wrote it', async () => {
    const root = await write(admin)
    const other = await write(admin)
    const answer = await write(ann, { replyTo: root.id })
    const seen = await list(admin)
    expect(seen.map((each) => [each.id, each.replyTo, each.byAuthor, each.replies])).toEqual([
      [answer.id, root.id, true, 0],
      [other.id, null, false, 0],
      [root.id, null, false, 1],
    ])
    expect((await show(admin)).comments).toEqual(seen)
    expect(await list(admin, `?before=${root.id + 1}&after=${root.id - 1}`)).toEqual([seen[2]])
  })
  test('stays when what it answers is deleted, and leaves with its own deletion', async () => {
    const root = await write(admin)
    const answer = await write(ann, { replyTo: root.id })
    const second = await write(ann, { replyTo: root.id })
    await remove(ann, second.id)
    expect((await list(ann)).map(({ replies }) => replies)).toEqual([0, 1])
    await remove(admin, root.id)
    expect((await list(ann)).map(({ id, replyTo }) => [id, replyTo])).toEqual([
      [answer.id, root.id],
    ])
  })
})

describe('a comment is changed', () => {
  test('by its writer within 15 minutes, which everybody sees immediately', async () => {
    const comment = await write(ann)
    expect((await list(admin))[0]?.text).toBe(TEXT)
    const late = new Date(app.clock.now().getTime() + 14 * MINUTE)
    app.clock.time = late
    const { body } = await edit(ann, comment.id, '  Said in\r\nbetter words. ')
    const changed = { ...comment, text: 'Said in\nbetter words.', edited: late.toISOString() }
    expect(body).toEqual(changed)
    expect((await list(admin))[0]).toEqual({ ...changed, mine: false })
  })
  test('not after 15 minutes', async () => {
    const { id } = await write(ann)
    // A session would have to be renewed before it is that old, so the comment is made older instead.
    const created_at = new Date(app.clock.now().getTime() - 15 * MINUTE)
    const { db } = app.app.database
    await db.updateTable('comments').set({ created_at }).where('id', '=', id).execute()
    expect((await edit(ann, id)).status).toBe(409)
    expect((await list(ann))[0]).toMatchObject({ id, text: TEXT, edited: null })
  })
  test('not when it is missing or deleted, and not marked without a change', async () => {
    const comment = await write(ann)
    expect((await edit(ann, comment.id, TEXT)).body).toEqual(comment)
    await remove(ann, comment.id)
    for (const id of [comment.id, 999_999]) expect((await edit(ann, id)).status).toBe(404)
  })
  test('and judged again', async () => {
    const { id } = await write(ann, { text: 'Great, thank you very much!' })
    const find = async (query = '') =>
      (await done<ModeratedComment[]>(app, admin, `GET /comment/all${query}`))[0]
    await app.runJobs()
    expect(await find()).toMatchObject({ id, prediction: 'POSITIVE' })
    await edit(ann, id, 'You are an idiot, shut up.')
    expect(await find('?search=shut%20up')).toMatchObject({ id, prediction: null })
    await app.runJobs()
    expect(await find()).toMatchObject({ prediction: 'TOXIC', edited: expect.any(String) })
  })
})

describe('open pages', () => {
  const changes = (as: Person, query = '') =>
    done<CommentChanges>(app, as, `GET /comment/changes/${lessonId}${query}`)
  const moveOn = (ms: number) => {
    app.clock.time = new Date(app.clock.now().getTime() + ms)
  }

  test('get new, changed and deleted comments in one response, as the viewer sees them', async () => {
    const kept = await write(ann)
    const changed = await write(ann)
    const gone = await write(admin)
    const { at } = await changes(ann, `?after=${gone.id}`)
    const fresh = await write(admin)
    await edit(ann, changed.id)
    await remove(admin, gone.id)
    const answer = await changes(ann, `?after=${gone.id}&since=${at}`)
    expect(answer.fresh).toEqual([{ ...fresh, mine: false }])
    expect(answer.changed).toMatchObject([
      { id: changed.id, text: 'Said in better words.', mine: true, edited: expect.any(String) },
    ])
    expect(answer.gone).toEqual([gone.id])
    expect((await changes(admin, `?after=${kept.id}`)).changed).toMatchObject([{ mine: false }])
    await done(app, admin, `POST /comment/restore/${gone.id}`)
    expect((await changes(ann)).gone).toEqual([])
  })
  test('get none of other lessons, and a changed and then deleted comment only as deleted', async () => {
    const own = await write(ann)
    const foreign = await write(ann, {}, (await app.publishLesson(ann)).id)
    for (const { id } of [foreign, own]) await edit(ann, id)
    await remove(ann, own.id)
    const nothing = { fresh: [], changed: [], gone: [own.id] }
    expect(await changes(ann, `?after=${own.id}`)).toMatchObject(nothing)
  })
  test('get changes repeatedly for a while, and a time in the future means now', async () => {
    await edit(ann, (await write(ann)).id)
    const first = await changes(ann)
    expect(first.changed).toHaveLength(1)
    expect((await changes(ann, `?since=${first.at}`)).changed).toHaveLength(1)
    moveOn(30_000)
    const later = await changes(ann, `?since=${first.at}`)
    expect((await changes(ann, `?since=${later.at}`)).changed).toEqual([])
    expect((await changes(ann, `?since=${Number.MAX_SAFE_INTEGER}`)).changed).toEqual([])
    moveOn(60_000)
    expect((await changes(ann)).changed).toEqual([])
    expect((await changes(ann, '?since=1')).changed).toHaveLength(1)
  })
})
