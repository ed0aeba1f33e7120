/** Creates an installation with a history, and copies of its database that tests may corrupt. */
import { randomUUID } from 'node:crypto'
import pg, { type ClientConfig } from 'pg'
import { expect, inject } from 'vitest'
import type { UploadedResource } from '#contract/files.ts'
import { courseForm, type Person, type TestApp } from '#server/testing/app.ts'

/**
 * Ann teaches, Bob and Carl learn and chat, Dora sells something and erases her account; one lesson is deleted,
 * and one has left a sold course. Uses HTTP and runs the resulting jobs.
 */
export async function liveThrough(app: TestApp): Promise<{ ann: Person; bob: Person }> {
  const [ann, bob, carl, dora] = [
    await app.signUp('ann'),
    await app.signUp('bob'),
    await app.signUp('carl'),
    await app.signUp('dora'),
  ]
  const done = async (path: string, as: Person, json?: unknown) => {
    const { status, body } = await app.call('POST', path, { as, json })
    expect([path, status, body]).toEqual([path, expect.toBeOneOf([200, 202, 204]), body])
  }
  await app.give(bob, 3000)
  await app.give(carl, 3000)
  const course = await app.publishCourse(ann)
  const lessons = course.lessons.map(({ id }) => id)
  const file = new FormData()
  file.set('file', new File(['How to tie a knot'], 'knots.txt'))
  const upload = await app.call<UploadedResource>('POST', '/upload/resource', {
    as: ann,
    form: file,
  })
  const single = await app.publishLesson(ann, { resources: upload.body.url })
  const gone = await app.publishLesson(ann)
  const sold = await app.publishLesson(dora)

  await done(`/course/buy/${course.id}`, bob)
  for (const id of [single.id, gone.id, sold.id]) await done(`/lesson/buy/${id}`, bob)
  await done(`/lesson/buy/${single.id}`, carl)
  await done(`/lesson/like/${single.id}`, bob)
  await done(`/course/like/${course.id}`, carl)
  await done(`/comment/create/${lessons[0]}`, bob, { text: 'The first of two words' })
  await done(`/comment/create/${single.id}`, bob, { text: 'The second of two words' })
  await app.call('GET', `/lesson/${single.id}`, { as: carl })
  await done('/message/create', bob, { text: 'Good morning', receiverUsername: 'carl' })
  await done('/message/create', carl, { text: 'And to you', receiverUsername: 'bob' })
  await done('/message/create', dora, { text: 'I am leaving', receiverUsername: 'bob' })
  expect((await app.call('PUT', `/follow/${ann.session._id}`, { as: bob })).status).toBe(200)
  const put = async (path: string, as: Person, json: unknown) => {
    const { status, body } = await app.call('PUT', path, { as, json })
    expect([path, status, body]).toEqual([path, expect.toBeOneOf([200, 204]), body])
  }
  await put(`/progress/${lessons[0]}`, bob, { seconds: 60, furthest: 60, opened: true })
  await done(`/note/create/${lessons[0]}`, bob, { text: 'Twice around, once through' })
  await put(`/progress/${single.id}`, carl, { opened: true })
  await put(`/rating/lesson/${single.id}`, carl, { stars: 4 })
  await put(`/rating/course/${course.id}`, bob, { stars: 5 })
  await put(`/rating/lesson/${lessons[0]}`, bob, { stars: 3 })
  await done('/flag', carl, { kind: 'lesson', id: single.id, text: 'This is about something else' })

  const edit = await courseForm({ lessons: [...lessons.slice(1), single.id] })
  edit.delete('image')
  expect((await app.call('PATCH', `/course/${course.id}`, { as: ann, form: edit })).status).toBe(
    200,
  )
  expect((await app.call('DELETE', `/lesson/${gone.id}`, { as: ann })).status).toBe(200)
  await done('/identity/erase', dora, { password: dora.password })
  await app.app.views.flush()
  await app.runJobs()
  return { ann, bob }
}

/** Copies a database. It must have no other connections meanwhile. */
export async function copyDatabase({ database }: ClientConfig): Promise<ClientConfig> {
  const server = inject('database')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const admin = new pg.Client({ ...server, database: 'postgres' })
  await admin.connect()
  await admin.query(`create database ${name} template ${database} strategy file_copy`)
  await admin.end()
  return { ...server, database: name }
}

/** Runs statements without triggers, as a database restore may, so that foreign keys are not checked. */
export async function spoil(connection: ClientConfig, text: string): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(`set session_replication_role = replica; ${text}`)
  await client.end()
}
