import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { Contact, Message } from '#contract/chat.ts'
import type { Comment } from '#contract/comments.ts'
import type { Course } from '#contract/courses.ts'
import type { Problem } from '#contract/errors.ts'
import type { Lesson, LessonCard } from '#contract/lessons.ts'
import type { Profile } from '#contract/profiles.ts'
import { statusesOf } from '#server/testing/http/answers.ts'
import { lessonForm, type Person } from '#server/testing/app.ts'
import { removalsOf } from '#server/testing/learning/removals.ts'
import { formOf, uploadFile } from '#server/testing/http/forms.ts'
import { addLessons, setUser } from '#server/testing/rows.ts'
import { openTestApp } from '#server/testing/setup.ts'

const app = await openTestApp({ DAILY_REWARD_LIMIT: '1000' })
const removals = removalsOf(app)
const { pointsOf, rich } = removals
const bob = await rich('bob', 5000)
const carl = await rich('carl', 5000)
let admin: Person = await app.signUp('admin')

const setRole = (of: Person) => setUser(app, of, { role: 'administrator' })

const erase = (as: Person | undefined, json: unknown = { password: as?.password }) =>
  app.call<Problem>('POST', '/identity/erase', { as, json })
const get = <Body = unknown>(path: string, as?: Person) => app.call<Body>('GET', path, { as })
const buy = (as: Person, kind: 'lesson' | 'course', id: number) => removals[kind].buy(as, id)
const query = (text: string, values: unknown[] = []) =>
  app.app.database.pool.query<Record<string, unknown>>(text, values)

async function pictureOf(background: string): Promise<File> {
  const bytes = await sharp({ create: { width: 64, height: 48, channels: 3, background } })
    .jpeg()
    .toBuffer()
  return new File([new Uint8Array(bytes)], 'picture.jpg', { type: 'image/jpeg' })
}

/** Returns the tables of all schemas with rows that contain the word. */
async function placesOf(word: string): Promise<string[]> {
  const { rows } = await query(
    `select table_schema || '.' || quote_ident(table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  )
  const found: string[] = []
  for (const { name } of rows) {
    const having = await query(`select 1 from ${String(name)} t where t::text ilike $1 limit 1`, [
      `%${word}%`,
    ])
    if (having.rows.length > 0) found.push(String(name))
  }
  return found
}

let count = 0
const newPerson = () => app.signUp(`person${(count += 1)}`)

async function comment(as: Person, lessonId: number): Promise<Comment> {
  const json = { text: 'A comment that stays here' }
  const { status, body } = await app.call<Comment>('POST', `/comment/create/${lessonId}`, {
    as,
    json,
  })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body
}

const upload = (as: Person) => uploadFile(app, as, 'notes.txt')

await setRole(admin)

describe('refusals', () => {
  test.each([{ password: 'not this one' }, {}])('%j erases nothing', async (json) => {
    const { status, body } = await erase(bob, json)
    expect([status, Object.keys(body.errors ?? {})]).toEqual([400, ['password']])
    expect((await get('/identity/points', bob)).status).toBe(200)
  })
  test('the last administrator stays', async () => {
    expect((await erase(admin)).status).toBe(409)
    expect((await get('/identity/points', admin)).status).toBe(200)
  })
  test('of two administrators who erase their accounts concurrently, one stays', async () => {
    const other = await app.signUp('other')
    await setRole(other)
    const answers = await Promise.all([erase(admin), erase(other)])
    expect(statusesOf(answers)).toEqual([204, 409])
    if (answers[0]?.status === 204) admin = other
  })
})

describe('what others bought', async () => {
  const ann = await app.signUp('ann')
  const url = await upload(ann)
  const sold = await app.publishLesson(ann, { title: 'Sold zebra', resources: url })
  const { id: unsold } = await app.publishLesson(ann, { title: 'Unsold zebra' })
  const course = await app.publishCourse(ann)
  const [inside = 0, ...others] = course.lessons.map(({ id }) => id)
  const unsoldCourse = (await app.publishCourse(ann, { lessons: [inside, ...others] })).id
  await buy(bob, 'lesson', sold.id)
  await buy(bob, 'course', course.id)
  await comment(bob, sold.id)
  await app.call('POST', `/lesson/like/${sold.id}`, { as: carl })
  const before = await pointsOf(bob)
  expect((await erase(ann)).status).toBe(204)
  await app.runJobs()
  const after = await pointsOf(bob)

  test('a buyer can still read the lesson, its file and its comments', async () => {
    const { status, body } = await get<Lesson>(`/lesson/${sold.id}`, bob)
    expect(status).toBe(200)
    expect(body).toMatchObject({ title: 'Sold zebra', ownerName: 'Former member', bought: true })
    expect(body.ownerImage).toContain('/art/avatar/')
    expect(body.can).toEqual({
      see: true,
      edit: false,
      delete: false,
      like: false,
      buy: false,
      comment: false,
      rate: false,
    })
    const cookie = { headers: { cookie: bob.cookie } }
    expect((await fetch(app.url + sold.resources, cookie)).status).toBe(200)
    expect((await get<Comment[]>(`/comment/lesson/${sold.id}`, bob)).body).toHaveLength(1)
  })
  test('a buyer can still read the course and its lessons', async () => {
    const { status, body } = await get<Course>(`/course/${course.id}`, bob)
    expect([status, body.ownerName, body.can.see]).toEqual([200, 'Former member', true])
    expect(body.lessons.map(({ id, can }) => [id, can.see])).toEqual(
      [inside, ...others].map((id) => [id, true]),
    )
    const shown = await get<Lesson>(`/lesson/${inside}`, bob)
    expect([shown.status, shown.body.can.see]).toEqual([200, true])
  })
  test('it is among the buyer’s items', async () => {
    const ids = async (path: string) =>
      (await get<LessonCard[]>(path, bob)).body.map(({ id, ownerName }) => [id, ownerName])
    expect(await ids('/lesson/bought')).toContainEqual([sold.id, 'Former member'])
    expect(await ids('/course/bought')).toContainEqual([course.id, 'Former member'])
    const { entries } = await removals.ledger(bob)
    expect(entries.find(({ item }) => item?.kind === 'course')?.item).toMatchObject({ gone: false })
  })
  test('administrators see it too', async () => {
    expect((await get<Lesson>(`/lesson/${sold.id}`, admin)).body.can).toMatchObject({
      see: true,
      edit: false,
      delete: true,
    })
    expect((await get(`/course/${course.id}`, admin)).status).toBe(200)
    expect((await get(`/course/choices?course=${course.id}`, admin)).status).toBe(404)
  })
  test('for everybody else it is deleted', async () => {
    const lessons = [sold.id, inside].map((id) => `/lesson/${id}`)
    for (const path of [...lessons, `/course/${course.id}`, `/comment/lesson/${sold.id}`])
      for (const as of [undefined, carl]) expect((await get(path, as)).status, path).toBe(404)
    expect((await fetch(app.url + sold.resources)).status).toBe(401)
    for (const [kind, id] of [
      ['lesson', sold.id],
      ['course', course.id],
    ] as const) {
      expect((await buy(carl, kind, id)).status).toBe(404)
      expect((await app.call('POST', `/${kind}/like/${id}`, { as: bob })).status).toBe(404)
    }
  })
  test('a buyer can not comment on it any more, but can delete their own comments', async () => {
    const json = { text: 'Another comment of mine' }
    expect((await app.call('POST', `/comment/create/${sold.id}`, { as: bob, json })).status).toBe(
      403,
    )
    const { body } = await get<Comment[]>(`/comment/lesson/${sold.id}`, bob)
    expect((await app.call('DELETE', `/comment/delete/${body[0]?.id}`, { as: bob })).status).toBe(
      204,
    )
    expect((await get<Lesson>(`/lesson/${sold.id}`, bob)).body.commentCount).toBe(0)
  })
  test('no list, search or suggestion contains it', async () => {
    for (const as of [undefined, bob, carl])
      for (const path of [
        '/lesson/all',
        '/lesson/all?page=1&search=zebra',
        '/lesson/popular',
        '/lesson/newest',
        '/course/all',
        '/course/highest',
        `/course/all?page=1&search=${encodeURIComponent(course.title)}`,
        '/search/suggest?q=zebra',
        ...(as === undefined ? [] : ['/lesson/recommended', '/lesson/liked']),
      ]) {
        const { body } = await get(path, as)
        const text = JSON.stringify(body)
        expect(text, path).not.toContain('zebra')
        expect(text, path).not.toContain('Former member')
      }
  })
  test('unsold items are deleted for everybody', async () => {
    for (const as of [undefined, bob, admin]) {
      expect((await get(`/lesson/${unsold}`, as)).status).toBe(404)
      expect((await get(`/course/${unsoldCourse}`, as)).status).toBe(404)
    }
  })
  test('nobody was refunded', async () => {
    expect(after).toBe(before)
  })
})

describe('a remaining item that breaks the rules', () => {
  test('can be reported by a buyer and deleted with refunds', async () => {
    const ann = await newPerson()
    const { id } = await app.publishLesson(ann)
    const { id: course, lessons } = await app.publishCourse(ann)
    const before = await pointsOf(bob)
    await buy(bob, 'lesson', id)
    await buy(bob, 'course', course)
    await erase(ann)
    await app.runJobs()
    const flag = { kind: 'lesson', id: String(id), text: 'This is against the rules' }
    expect((await app.call('POST', '/flag', { as: bob, json: flag })).status).toBeLessThan(300)
    expect((await app.call('DELETE', `/lesson/${id}?reason=because`, { as: bob })).status).toBe(403)
    const remove = (path: string) => app.call('DELETE', `${path}?reason=because`, { as: admin })
    const share = await get(`/lesson/removal/${lessons[0]?.id}`, admin)
    expect(share.body).toMatchObject({ buyers: 1, refund: 83 })
    for (const path of [`/lesson/${id}`, `/lesson/${lessons[0]?.id}`, `/course/${course}`]) {
      expect((await remove(path)).status).toBe(200)
      expect((await get(path, bob)).status).toBe(404)
      expect((await get(path, admin)).status).toBe(404)
    }
    expect(await pointsOf(bob)).toBe(before)
  })
})

describe('the person', () => {
  test('is signed out, unknown, and free to come anew', async () => {
    const ann = await newPerson()
    const { username, email, _id: id } = ann.session
    const { status, headers } = await erase(ann)
    expect(status).toBe(204)
    expect(headers.get('set-cookie')).toContain('kb=;')
    expect((await get('/identity/points', ann)).status).toBe(401)
    expect((await get(`/identity/profile/${id}`, bob)).status).toBe(404)
    expect((await get(`/identity/allProfiles?page=1&search=${username}`, bob)).body).toEqual([])
    const again = await app.signUp(username)
    expect([again.session.username, again.session.email]).toEqual([username, email])
  })
  test('is erased once by 20 concurrent calls', async () => {
    const ann = await newPerson()
    await app.publishCourse(ann)
    const answers = await Promise.all(Array.from({ length: 20 }, () => erase(ann)))
    expect(statusesOf(answers)).toEqual([204, ...Array.from({ length: 19 }, () => 401)])
    await app.runJobs()
    const { rows } = await query(
      `select id from lessons where owner_id = $1 and deleted_at is null`,
      [ann.session._id],
    )
    expect(rows).toEqual([])
  })
  test('leaves no name, address or secret in the database', async () => {
    const ann = await app.signUp('Xylophonia')
    const { email, _id: id } = ann.session
    const letter = { topic: 'A problem', emailText: 'What is wrong, in thirty letters and more.' }
    const report = { ...letter, senderEmail: email, kind: 'report' }
    const sent = await app.call('POST', '/email/send', { as: ann, json: report })
    const form = formOf({ username: 'Xylophonius' })
    const renamed = await app.call('PATCH', '/identity/update', { as: ann, form })
    expect([sent.status, renamed.status]).toEqual([202, 200])
    expect(await placesOf('xylophoni')).toContain('public.users')
    await erase(ann)
    await app.runJobs()
    expect([...(await placesOf(email)), ...(await placesOf('xylophoni'))]).toEqual([])
    const left = await query(
      `select (select count(*) from sessions where user_id = $1) as sessions,
        (select count(*) from account_tokens where user_id = $1) as links,
        (select count(*) from mails where user_id = $1 and state in ('waiting', 'held')) as mails`,
      [id],
    )
    expect(left.rows[0]).toEqual({ sessions: 0, links: 0, mails: 0 })
  })
  test('leaves no text of unsold items in the database', async () => {
    const ann = await newPerson()
    const word = 'quokkaberry'
    await app.call('PUT', `/follow/${ann.session._id}`, { as: carl })
    const resources = await uploadFile(app, ann, `${word}.txt`)
    const words = {
      title: `Old ${word}`,
      description: `A ${word} of one's own`,
      tags: word,
      opening: `Of the ${word}`,
      resources,
    }
    const { id } = await app.publishLesson(ann, words)
    await app.call('PATCH', `/lesson/${id}`, {
      as: ann,
      form: await lessonForm({ ...words, title: `New ${word}s` }),
    })
    const { id: gone } = await app.publishLesson(ann, { title: `Once ${word}` })
    const course = await app.publishCourse(ann, { title: `Every ${word}` })
    await app.call('DELETE', `/lesson/${gone}`, { as: ann })
    for (const path of [`/lesson/like/${id}`, `/course/like/${course.id}`])
      await app.call('POST', path, { as: carl })
    const json = { text: 'To be looked at', kind: 'lesson', id: String(id) }
    await app.call('POST', '/flag', { as: carl, json })
    await app.runJobs()
    expect(await placesOf(word)).toContain('public.search_words')
    expect((await erase(ann)).status).toBe(204)
    await app.runJobs()
    // The sweep deletes unused files.
    await query(`select graphile_worker.add_job('clearUnattached')`)
    await app.runJobs()
    expect(await placesOf(word)).toEqual([])
  })
  test('removes all pictures, and all files except those for buyers', async () => {
    const ann = await newPerson()
    const edit = (form: FormData) => app.call('PATCH', '/identity/update', { as: ann, form })
    const faces = []
    for (const colour of ['#123456', '#654321']) {
      const form = formOf({ image: await pictureOf(colour) })
      expect((await edit(form)).status).toBe(200)
      const { body } = await get<Profile>(`/identity/profile/${ann.session._id}`, ann)
      faces.push(body.imageUrl)
    }
    const cover = async (colour: string) => {
      const form = await lessonForm()
      form.set('image', await pictureOf(colour))
      return (await app.call<Lesson>('POST', '/lesson/create', { as: ann, form })).body
    }
    const [sold, unsold] = [await cover('#112233'), await cover('#332211')]
    await buy(bob, 'lesson', sold.id)
    const file = await upload(ann)
    const statusOf = async (path: string) => (await fetch(`${app.url}${path}`)).status
    const covers = [sold.thumbnail, unsold.thumbnail]
    const all = [...faces, ...covers]
    await app.runJobs()
    // The second picture has replaced the first.
    for (const path of all) expect(await statusOf(path), path).toBe(path === faces[0] ? 404 : 200)
    await erase(ann)
    await app.runJobs()
    for (const path of all) expect(await statusOf(path), path).toBe(404)
    // The buyer keeps the lesson, with a generated cover.
    const kept = (await get<Lesson>(`/lesson/${sold.id}`, bob)).body
    expect([kept.can.see, kept.thumbnail]).toEqual([true, `/art/cover/${sold.id}.svg`])
    const left = await query(`select id from pictures where owner_id = $1`, [ann.session._id])
    expect(left.rows).toEqual([])
    // The next sweep deletes the file regardless of its age.
    const { rows } = await query(
      `select created_at < now() - interval '1 day' as due from uploads where owner_id = $1`,
      [ann.session._id],
    )
    expect([file !== '', rows]).toEqual([true, [{ due: true }]])
  })
  test('is anonymous in the comments and chats of others', async () => {
    const ann = await newPerson()
    const { id } = await app.publishLesson(bob)
    await app.give(ann, 100)
    await buy(ann, 'lesson', id)
    await comment(ann, id)
    const write = (as: Person, receiverUsername: string) =>
      app.call<Problem>('POST', '/message/create', {
        as,
        json: { text: 'Hello there', receiverUsername },
      })
    await write(ann, bob.session.username)
    await erase(ann)
    await app.runJobs()
    const { body } = await get<Lesson & { comments: Comment[] }>(`/lesson/${id}`, bob)
    expect(body.comments[0]).toMatchObject({
      userName: 'Former member',
      text: 'A comment that stays here',
    })
    const { username } = ann.session
    const contacts = (await get<Contact[]>('/message/contacts', bob)).body
    expect(contacts[0]).toMatchObject({ userName: 'Former member' })
    const gone = contacts[0]?.id ?? ''
    const history = await get<Message[]>(`/message/all/${gone}`, bob)
    expect(history.body).toMatchObject([{ text: 'Hello there', senderUsername: 'Former member' }])
    expect((await app.call('POST', `/message/read/${gone}`, { as: bob })).status).toBe(204)
    // For people without a conversation with them, the id doesn't exist.
    expect((await get(`/message/all/${gone}`, carl)).status).toBe(404)
    for (const name of [gone, username, 'Former member']) {
      const answer = await write(bob, name)
      expect([answer.status, answer.body.title !== '']).toEqual([404, true])
    }
  })
})

describe('what an erased person wrote and did', async () => {
  const ann = await app.signUp('Zinnia')
  const face = formOf({ image: await pictureOf('#73c2be') })
  const changed = await app.call<Profile>('PATCH', '/identity/update', { as: ann, form: face })
  const picture = changed.body.imageUrl.split('/')[3] ?? 'none'
  /** Answers by reader and path. */
  const answers = new Map<string, string>()
  await app.give(ann, 1000)
  const mine = [await app.publishLesson(ann), await app.publishLesson(ann)]
  const theirs = [await app.publishLesson(bob), await app.publishLesson(carl)]
  for (const { id } of theirs) {
    await buy(ann, 'lesson', id)
    await comment(ann, id)
    await app.call('POST', `/lesson/like/${id}`, { as: ann })
  }
  const late = await comment(ann, theirs[0]?.id ?? 0)
  for (const { id } of mine) await buy(bob, 'lesson', id)
  const post = async (as: Person, path: string, json: unknown) => {
    const { status, body } = await app.call('POST', path, { as, json })
    if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`)
  }
  for (const { session } of [bob, carl])
    await post(ann, '/message/create', { text: 'Hello', receiverUsername: session.username })
  await post(bob, '/message/create', { text: 'Hello too', receiverUsername: 'Zinnia' })
  const flag = (kind: string, id: unknown) => ({ kind, id, text: 'Against the rules' })
  await post(ann, '/flag', flag('lesson', theirs[0]?.id))
  await post(ann, '/flag', flag('profile', carl.session._id))
  await post(bob, '/flag', flag('profile', ann.session._id))
  await post(bob, '/flag', flag('comment', late.id))
  const report = { senderEmail: ann.session.email, topic: 'A problem', kind: 'report' }
  await post(ann, '/email/send', { ...report, emailText: 'What is wrong, in thirty letters.' })
  await post(admin, `/admin/suspend/${ann.session._id}`, { reason: 'A reason' })
  await post(admin, `/admin/unsuspend/${ann.session._id}`, { reason: 'A reason' })
  await app.call('DELETE', `/comment/delete/${late.id}`, { as: admin })
  expect((await erase(ann)).status).toBe(204)
  await app.runJobs()
  const read = async (as: Person, paths: readonly string[]) => {
    for (const path of paths) {
      const { status, body } = await get(path, as)
      if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`)
      answers.set(`${as.session.username} ${path}`, JSON.stringify(body))
    }
  }
  const items = [...mine, ...theirs].map(({ id }) => `/lesson/${id}`)
  const everybodys = ['/message/contacts', '/identity/allContacts', '/identity/export']
  const lists = ['/lesson/bought', '/lesson/all', '/identity/points', '/identity/allProfiles']
  await read(bob, [
    ...items.slice(0, 3),
    ...everybodys,
    ...lists,
    `/comment/lesson/${theirs[0]?.id}`,
  ])
  await read(carl, [items[3] ?? '', ...everybodys, ...lists])
  const desks = ['/comment/all', '/comment/browse', '/comment/all?page=1&deleted=on']
  const admins = ['/admin/flags', '/admin/flags?closed=on', '/admin/bugs', '/admin/log']
  await read(admin, [...items, ...desks, ...admins, '/admin/jobs', '/admin/mails'])
  for (const reader of [bob, carl]) {
    const { body } = await get<Contact[]>('/message/contacts', reader)
    const former = body.find(({ userName }) => userName === 'Former member')?.id
    await read(reader, [`/message/all/${former}`])
  }

  test('is in many answers', () => {
    const all = [...answers.values()]
    expect(all.filter((body) => body.includes('Former member')).length).toBeGreaterThan(12)
  })
  test('has neither id nor picture in any of them, including those for administrators', () => {
    for (const [what, body] of answers) {
      expect(body, what).not.toContain(ann.session._id)
      expect(body.toLowerCase(), what).not.toContain('zinnia')
      expect(body, what).not.toContain(picture)
    }
  })
  test('has nothing in common that could link two texts', () => {
    const ids = (reader: Person) =>
      answers.get(`${reader.session.username} /message/contacts`)?.match(/[0-9a-f-]{36}/g) ?? []
    const others = new Set([bob, carl, admin].map(({ session }) => session._id))
    const ofBob = ids(bob).filter((id) => !others.has(id))
    expect(ofBob.length).toBeGreaterThan(0)
    for (const id of ofBob)
      for (const [what, body] of answers)
        if (!what.startsWith('bob /message/contacts')) expect(body, what).not.toContain(id)
    const writers = [...answers.values()].flatMap(
      (body) =>
        body.match(/"user":"[^"]*","userName":"Former member","profilePicture":"[^"]*"/g) ?? [],
    )
    expect(writers.length).toBeGreaterThan(4)
    expect(new Set(writers).size).toBe(1)
  })
})

describe('in between', () => {
  test('a concurrent purchase either succeeds or costs nothing', async () => {
    const ann = await newPerson()
    const lessons = [await app.publishLesson(ann), await app.publishLesson(ann)]
    const { id: course } = await app.publishCourse(ann)
    const before = await pointsOf(carl)
    const [, ...bought] = await Promise.all([
      erase(ann),
      ...lessons.map(({ id }) => buy(carl, 'lesson', id)),
      buy(carl, 'course', course),
    ])
    await app.runJobs()
    const prices = [100, 100, 500]
    const paid = bought.map(({ status }, place) => (status === 200 ? (prices[place] ?? 0) : 0))
    const now = await pointsOf(carl)
    expect(before - now).toBe(paid.reduce((sum, price) => sum + price, 0))
    const shown = [...lessons.map(({ id }) => `/lesson/${id}`), `/course/${course}`]
    for (const [place, path] of shown.entries())
      expect((await get(path, carl)).status).toBe(bought[place]?.status === 200 ? 200 : 404)
  })
  test('a job deletes many items, after any interruption', async () => {
    const ann = await newPerson()
    const { id: first } = await app.publishLesson(ann)
    await buy(carl, 'lesson', first)
    await addLessons(app, ann, 120)
    const living = async () =>
      (
        await query(`select id from lessons where owner_id = $1 and deleted_at is null`, [
          ann.session._id,
        ])
      ).rows.length
    expect((await erase(ann)).status).toBe(204)
    expect(await living()).toBe(71)
    await app.runJobs()
    expect(await living()).toBe(0)
    expect((await get(`/lesson/${first}`, carl)).status).toBe(200)
    // A second job removes what concurrent requests wrote afterwards.
    await addLessons(app, ann, 1)
    await query(`update graphile_worker._private_jobs set run_at = now() where key = $1`, [
      `erase ${ann.session._id} again`,
    ])
    await app.runJobs()
    expect(await living()).toBe(0)
  })
})
