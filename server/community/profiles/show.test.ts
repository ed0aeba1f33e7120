import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { Comment } from '#contract/comments.ts'
import type { OwnProfile, Profile } from '#contract/profiles.ts'
import type { ProfileCard } from '#contract/profile-card.ts'
import { createTestApp, type Person } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { formOf } from '#server/testing/http/forms.ts'
import { addLessons, setUser } from '#server/testing/rows.ts'

let owner: Person
let viewer: Person
let count = 0
const NOBODY = '01900000-0000-7000-8000-000000000000'

const app = await createTestApp()
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.time = null
  count += 1
  owner = await app.signUp(`owner${count}`)
  viewer = await app.signUp(`viewer${count}`)
})

const show = (as: Person | undefined, id: string) =>
  app.call<OwnProfile>('GET', `/identity/profile/${id}`, { as })
const information = (id: string) => app.call<ProfileCard>('GET', `/identity/userinformation/${id}`)
const fillShelf = (size: number) => addLessons(app, owner, size)
/** Adds people by SQL and returns their ids. */
async function fillStreet(size: number): Promise<string[]> {
  const { rows } = await app.app.database.pool.query<{ id: string }>(
    `insert into users (id, username, username_skeleton, username_folded, email, email_folded, password_hash)
    select gen_random_uuid(), name, name, name, name || '@people.example', name || '@people.example', ''
    from (select $1 || n as name from generate_series(1, $2::integer) n) names returning id`,
    [`street${count}x`, size],
  )
  return rows.map(({ id }) => id)
}

describe('refusals', () => {
  it('for unknown and erased people', async () => {
    expect((await show(viewer, NOBODY)).status).toBe(404)
    expect((await information(NOBODY)).status).toBe(404)
    await setUser(app, owner, { erased_at: new Date() })
    expect((await show(viewer, owner.session._id)).status).toBe(404)
    expect((await information(owner.session._id)).status).toBe(404)
  })
})

describe('a profile', () => {
  it('shows others no more than is theirs', async () => {
    const { id } = await app.publishLesson(owner)
    const { status, body } = await show(viewer, owner.session._id)
    const { _id, username, email, imageUrl } = owner.session
    expect(status).toBe(200)
    expect(body).toEqual({
      followers: 0,
      following: false,
      id: _id,
      _id,
      username,
      userName: username,
      email,
      imageUrl,
      counts: { lessons: 1, courses: 0, comments: 0 },
      ownLessons: [expect.objectContaining({ id, ownerName: username, bought: false })],
      ownCourses: [],
      comments: [],
    } satisfies Profile)
  })
  it('shows people their own balance and private data', async () => {
    const { id } = await app.publishLesson(owner)
    await app.publishLesson(viewer)
    await done(app, viewer, `POST /lesson/buy/${id}`)
    const { body } = await show(viewer, viewer.session._id)
    expect(body).toMatchObject({
      kbPoints: 0,
      debt: 0,
      role: 'user',
      hideEmail: false,
      emailConfirmed: false,
      likedLessons: [],
      likedCourses: [],
      boughtLessons: [id],
      boughtCourses: [],
    })
    const lesson = (await show(viewer, owner.session._id)).body.ownLessons[0]
    expect(lesson).toMatchObject({ id, bought: true })
  })
  it('lists comments for those who may read them', async () => {
    const { id } = await app.publishLesson(owner)
    await app.publishLesson(viewer)
    await done(app, viewer, `POST /lesson/buy/${id}`)
    const text = 'Read twice, and worth it.'
    await done(app, viewer, `POST /comment/create/${id}`, { text })
    const more = await done<Comment>(app, viewer, `POST /comment/create/${id}`, { text })
    await done(app, viewer, `DELETE /comment/delete/${more.id}`)
    const said = [expect.objectContaining({ text, lessonId: id, userName: `viewer${count}` })]
    const { body } = await show(owner, viewer.session._id)
    expect([body.counts.comments, body.comments]).toEqual([1, said])
    expect((await show(viewer, viewer.session._id)).body.comments).toEqual(said)
    const stranger = await app.signUp(`stranger${count}`)
    const unread = (await show(stranger, viewer.session._id)).body
    expect([unread.counts.comments, unread.comments]).toEqual([1, []])
    await done(app, owner, `DELETE /lesson/${id}`)
    expect((await show(owner, viewer.session._id)).body.counts.comments).toBe(0)
  })
  it('lists comments on a free preview for everybody while it is one', async () => {
    const { id: courseId, lessons } = await app.publishCourse(owner)
    const [preview = 0, locked = 0] = lessons.map(({ id }) => id)
    for (const id of [preview, locked])
      await done(app, owner, `POST /comment/create/${id}`, { text: `Written below number ${id}.` })
    const read = async (as: Person) =>
      (await show(as, owner.session._id)).body.comments.map(({ lessonId }) => lessonId)
    const mark = (id: number) =>
      done(app, owner, `PATCH /course/${courseId}`, formOf({ freePreview: `${id}` }))
    expect([await read(viewer), await read(owner)]).toEqual([[], [locked, preview]])
    await mark(preview)
    expect([await read(viewer), await read(owner)]).toEqual([[preview], [locked, preview]])
    await mark(locked)
    expect(await read(viewer)).toEqual([locked])
    await app.give(viewer, 1000)
    await done(app, viewer, `POST /course/buy/${courseId}`)
    expect(await read(viewer)).toEqual([locked, preview])
  })
  it('lists the courses of a person', async () => {
    const { lessons } = await app.publishCourse(owner, { title: 'Six of them' })
    const { body } = await show(viewer, owner.session._id)
    expect(body.counts.courses).toBe(1)
    const ids = lessons.map(({ id }) => id)
    expect(body.ownCourses).toMatchObject([{ title: 'Six of them', lessons: ids, liked: false }])
  })
  it('has pages of each list, without gaps and deleted items', async () => {
    const ids = await fillShelf(102)
    await done(app, owner, `DELETE /lesson/${ids.pop()}`)
    const page = (query: string) =>
      done<Profile>(app, viewer, `GET /identity/profile/${owner.session._id}?${query}`)
    const pages = [await page(''), await page('lessons=2'), await page('lessons=3&comments=9')]
    expect(pages.map(({ ownLessons }) => ownLessons.length)).toEqual([50, 50, 1])
    expect(pages.flatMap(({ ownLessons }) => ownLessons.map(({ id }) => id))).toEqual(
      ids.toReversed(),
    )
    for (const { counts } of pages) expect(counts.lessons).toBe(101)
    expect((await page('lessons=4')).ownLessons).toEqual([])
    expect((await page('lessons=1000000')).ownLessons).toEqual([])
    expect((await page('courses=2')).ownLessons).toHaveLength(50)
  })
  it('has pages of the comments that the reader may read', async () => {
    const [open, locked] = [await app.publishLesson(viewer), await app.publishLesson(owner)]
    await done(app, owner, `POST /lesson/buy/${open.id}`)
    const { rows } = await app.app.database.pool.query<{ id: number }>(
      `insert into comments (lesson_id, user_id, text, text_folded)
      select case when n % 3 = 0 then $2::bigint else $1::bigint end, $3, 'Word for word ' || n, 'word'
      from generate_series(1, 180) n returning id`,
      [open.id, locked.id, owner.session._id],
    )
    const read = (as: Person, comments: number) =>
      done<Profile>(app, as, `GET /identity/profile/${owner.session._id}?comments=${comments}`)
    for (const [reader, sizes] of [
      [owner, [50, 50, 50, 30, 0]],
      [viewer, [50, 50, 20, 0]],
    ] as const) {
      const seen: number[] = []
      for (const [place, size] of sizes.entries()) {
        const { comments, counts } = await read(reader, place + 1)
        expect([comments.length, counts.comments]).toEqual([size, 180])
        seen.push(...comments.map(({ id }) => id))
      }
      expect(seen).toEqual([...new Set(seen)].toSorted((one, other) => other - one))
      expect(seen).toHaveLength(reader === owner ? rows.length : 120)
    }
  })
})

describe('an address', () => {
  it('hidden by its owner is not shown to others', async () => {
    await setUser(app, owner, { hide_email: true })
    await setUser(app, viewer, { role: 'administrator' })
    expect((await show(viewer, owner.session._id)).body.email).toBeUndefined()
    expect((await show(owner, owner.session._id)).body.email).toBe(owner.session.email)
  })
  it('is shown to one person for thirty others per hour', async () => {
    const street = await fillStreet(32)
    const shown = async () => {
      const seen = []
      for (const id of street) if ((await show(viewer, id)).body.email !== undefined) seen.push(id)
      return seen
    }
    expect(await shown()).toEqual(street.slice(0, 30))
    expect(await shown()).toEqual(street.slice(0, 30))
    expect((await show(viewer, viewer.session._id)).body.email).toBe(viewer.session.email)
    const { pool } = app.app.database
    const mine = [viewer.session._id]
    const earlier = "update shown_emails set shown_at = shown_at - interval '61 minutes'"
    await pool.query(`${earlier} where viewer_id = $1`, mine)
    // Addresses seen more than an hour ago no longer count.
    expect((await show(viewer, street[31] ?? '')).body.email).toBeDefined()
    const { rows } = await pool.query('select from shown_emails where viewer_id = $1', mine)
    expect(rows).toHaveLength(30)
  })
  it('is never shown beyond thirty, at any rate', async () => {
    const street = await fillStreet(40)
    const answers = await Promise.all(street.map((id) => show(viewer, id)))
    const shown = answers.filter(({ body }) => body.email !== undefined)
    expect(shown.length).toBeGreaterThan(0)
    expect(shown.length).toBeLessThanOrEqual(30)
  })
})

it('a guest sees a person’s name and picture', async () => {
  const { _id, username, imageUrl } = owner.session
  const { status, body } = await information(_id)
  expect([status, body]).toEqual([200, { id: _id, userName: username, imageUrl }])
})
