/** Creates an installation with a history, and copies of its database that tests may corrupt. */
import { randomUUID } from 'node:crypto'
import pg, { type ClientConfig } from 'pg'
import { inject } from 'vitest'
import { courseForm, type Person, type TestApp } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { uploadFile } from '#server/testing/http/forms.ts'
import { signUpAll } from '#server/testing/people.ts'

/**
 * Ann teaches, Bob and Carl learn and chat, Dora sells something and erases her account; one lesson is deleted,
 * and one has left a sold course. Uses HTTP and runs the resulting jobs.
 */
export async function liveThrough(app: TestApp): Promise<{ ann: Person; bob: Person }> {
  const { ann, bob, carl, dora } = await signUpAll(app, 'ann', 'bob', 'carl', 'dora')
  const post = (path: string, as: Person, json?: unknown) =>
    done<{ id: number }>(app, as, `POST ${path}`, json)
  const put = (path: string, as: Person, json?: unknown) => done(app, as, `PUT ${path}`, json)
  await app.give(bob, 3000)
  await app.give(carl, 3000)
  const course = await app.publishCourse(ann)
  const lessons = course.lessons.map(({ id }) => id)
  const resources = await uploadFile(app, ann, 'knots.txt', 'How to tie a knot')
  const single = await app.publishLesson(ann, { resources })
  const gone = await app.publishLesson(ann)
  const sold = await app.publishLesson(dora)

  await post(`/course/buy/${course.id}`, bob)
  for (const id of [single.id, gone.id, sold.id]) await post(`/lesson/buy/${id}`, bob)
  await post(`/lesson/buy/${single.id}`, carl)
  await post(`/lesson/like/${single.id}`, bob)
  await post(`/course/like/${course.id}`, carl)
  await post(`/comment/create/${lessons[0]}`, bob, { text: 'The first of two words' })
  await post(`/comment/create/${single.id}`, bob, { text: 'The second of two words' })
  await app.call('GET', `/lesson/${single.id}`, { as: carl })
  await post('/message/create', bob, { text: 'Good morning', receiverUsername: 'carl' })
  await post('/message/create', carl, { text: 'And to you', receiverUsername: 'bob' })
  await post('/message/create', dora, { text: 'I am leaving', receiverUsername: 'bob' })
  await put(`/follow/${ann.session._id}`, bob)
  await put(`/progress/${lessons[0]}`, bob, { seconds: 60, furthest: 60, opened: true })
  await post(`/note/create/${lessons[0]}`, bob, { text: 'Twice around, once through' })
  const file = '00:01.000 --> 00:02.000\nTake both ends'
  await put(`/caption/${single.id}/en`, ann, { text: file })
  await post(`/caption/${single.id}/offer`, carl, { language: 'bg', text: `${file} of it` })
  const { id: offer } = await post(`/caption/${single.id}/offer`, bob, {
    language: 'de',
    text: '00:01.000 --> 00:02.000\nZwei Enden',
  })
  await post(`/caption/offer/${offer}/accept`, ann, { answer: 'Thank you' })
  await put(`/progress/${single.id}`, carl, { opened: true })
  await put(`/rating/lesson/${single.id}`, carl, { stars: 4 })
  await put(`/rating/course/${course.id}`, bob, { stars: 5 })
  await put(`/rating/lesson/${lessons[0]}`, bob, { stars: 3 })
  await post('/flag', carl, { kind: 'lesson', id: single.id, text: 'This is about something else' })

  const edit = await courseForm({ lessons: [...lessons.slice(1), single.id] })
  edit.delete('image')
  await done(app, ann, `PATCH /course/${course.id}`, edit)
  await done(app, ann, `DELETE /lesson/${gone.id}`)
  await post('/identity/erase', dora, { password: dora.password })
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
