/** Creates the people and things of the access table once, in one database. */
import { randomUUID } from 'node:crypto'
import { COURSE_LESSONS } from '#contract/limits.ts'
import { setRole } from '#server/people/accounts/store.ts'
import { type Role, ROLES, type Secret } from '#server/testing/access/roles.ts'
import { type Person, type TestApp } from '#server/testing/app.ts'
import { done } from '#server/testing/http/answers.ts'
import { formOf, uploadFile } from '#server/testing/http/forms.ts'
import { addPeople } from '#server/testing/people.ts'

/** Returns the value of a row's `{name}` for the calling role. */
type Value = (role: Role) => unknown

export interface Scene {
  readonly people: Readonly<Record<Role, Person | null>>
  readonly values: Readonly<Record<string, Value>>
  /** As they appear in answers to authorised roles. */
  readonly secrets: Readonly<Record<Secret, string>>
}

const POINTS = 50_000

/** Words that occur nowhere else. */
const SECRETS: Readonly<Record<Secret, string>> = {
  article: 'paidwordsofthearticle',
  comment: 'commentofthebuyer',
  message: 'writtenbetweentwo',
  email: '6f776e6572@people.example',
  file: 'bytesofthefile',
  explanation: 'whytheanswerisright',
}

/** Signs up all roles and creates the things that rows act upon. */
export async function makeScene(app: TestApp): Promise<Scene> {
  const names = ROLES.filter((role) => role !== 'guest')
  const signedUp = await Promise.all(
    [...names, 'listener'].map(async (name) => [name, await app.signUp(name)] as const),
  )
  const byName = new Map<string, Person>(signedUp)
  const person = (name: string): Person => {
    const found = byName.get(name)
    if (found === undefined) throw new Error(`${name} signed up`)
    return found
  }
  const things = await makeThings(app, person)
  await giveStates(app, person)
  const people = Object.fromEntries(
    ROLES.map((role) => [role, byName.get(role) ?? null]),
  ) as Scene['people']
  return { people, values: { ...things, ...ofRoles(people) }, secrets: SECRETS }
}

/** Creates lesson, course, comments, message and upload, and functions for those that begin with `new`. */
async function makeThings(
  app: TestApp,
  person: (name: string) => Person,
): Promise<Record<string, Value>> {
  const owner = person('owner')
  const poor = ['guest', 'owner', 'erased', 'staleAdministrator']
  for (const name of ROLES.filter((role) => !poor.includes(role)))
    await app.give(person(name), POINTS)
  const words = Array.from({ length: 20 }, (_, place) => `word${place}`).join(' ')
  const question = {
    text: 'Which of the two?',
    answers: [
      { text: 'The one', right: true },
      { text: 'The other', right: false },
    ],
    explanation: SECRETS.explanation,
  }
  const lesson = await app.publishLesson(owner, {
    article: `<p>${SECRETS.article} ${words}</p>`,
    checks: JSON.stringify([question]),
  })
  const lessons = [lesson.id]
  while (lessons.length <= COURSE_LESSONS.min) lessons.push((await app.publishLesson(owner)).id)
  const course = await app.publishCourse(owner, { lessons: lessons.slice(0, -1) })
  const post = (name: string, path: string, json?: unknown) =>
    done<{ id: number }>(app, person(name), `POST ${path}`, json)
  await post('buyer', `/lesson/buy/${lesson.id}`)
  await post('suspended', `/lesson/buy/${lesson.id}`)
  await post('courseBuyer', `/course/buy/${course.id}`)
  const comment = async (text: string) =>
    (await post('buyer', `/comment/create/${lesson.id}`, { text })).id
  const first = await comment(`${SECRETS.comment} first`)
  await done(app, person('buyer'), `PUT /progress/${lesson.id}`, { opened: true })
  const rate = `PUT /rating/lesson/${lesson.id}`
  const rating = await done<{ id: number }>(app, person('buyer'), rate, { stars: 4 })
  const letter = { text: SECRETS.message, receiverUsername: 'owner' }
  await post('user', '/message/create', letter)
  const url = await uploadFile(app, person('user'), 'secret.txt', SECRETS.file)
  return {
    lesson: () => lesson.id,
    course: () => course.id,
    comment: () => first,
    rating: () => rating.id,
    upload: () => url.split('/')[3],
    owner: () => owner.session._id,
    newLesson: async () => (await app.publishLesson(owner)).id,
    newCourse: async () => (await app.publishCourse(owner, { lessons: lessons.slice(1) })).id,
    newComment: () => comment(`A comment ${randomUUID()}`),
    newPerson: async () => (await addPeople(app, 1))[0]?.session._id,
  }
}

/** Suspends, promotes and otherwise changes people according to their roles. */
async function giveStates(app: TestApp, person: (name: string) => Person): Promise<void> {
  const { db } = app.app.database
  const now = app.clock.now()
  for (const name of ['administrator', 'staleAdministrator'])
    await setRole(db, name, 'administrator')
  await db
    .updateTable('users')
    .set({ email_confirmed_at: now })
    .where('username', '!=', 'unconfirmed')
    .execute()
  await done(app, person('owner'), 'PATCH /identity/update', formOf({ hideEmail: 'true' }))
  for (const name of ['stale', 'staleAdministrator']) {
    const id = person(name).session._id
    await db.updateTable('users').set({ second_factor_at: now }).where('id', '=', id).execute()
    const longAgo = new Date(now.getTime() - 60 * 60 * 1000)
    await db
      .updateTable('sessions')
      .set({ created_at: longAgo })
      .where('user_id', '=', id)
      .execute()
  }
  const suspend = `POST /admin/suspend/${person('suspended').session._id}`
  await done(app, person('administrator'), suspend, { reason: 'For the table' })
  const erased = person('erased')
  await done(app, erased, 'POST /identity/erase', { password: erased.password })
  await app.runJobs()
}

/** Values that differ by role. */
function ofRoles(people: Scene['people']): Record<string, Value> {
  return {
    role: (role) => role,
    name: (role) => people[role]?.session.username ?? 'nobody',
    password: (role) => people[role]?.password ?? 'no password at all',
  }
}
