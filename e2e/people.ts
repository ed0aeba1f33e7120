/** People of the tests: made through the API, or in the forms like anybody. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import type { Session } from '#contract/accounts.schemas.ts'
import type { Locale } from '#contract/messages/messages.ts'

export interface NewPerson {
  readonly username: string
  readonly email: string
  readonly password: string
}

export interface Registered extends NewPerson {
  readonly id: string
  readonly accessToken: string
  /** The refresh cookie, for a browser context. */
  readonly cookie: { readonly name: string; readonly value: string; readonly url: string }
}

let count = 0

/** Somebody who does not exist yet. */
export function newPerson(): NewPerson {
  count += 1
  const username = `p${process.pid}x${Date.now().toString(36)}${count}`.slice(-20)
  return { username, email: `${username}@people.example`, password: `secret of ${username}` }
}

/** Registers through the API, in a language that mails to them are written in. */
export async function register(
  url: string,
  change: Partial<NewPerson> = {},
  locale: Locale = 'en',
): Promise<Registered> {
  const person = { ...newPerson(), ...change }
  const picture = await sharp({
    create: { width: 64, height: 64, channels: 3, background: '#0e5f49' },
  })
    .jpeg()
    .toBuffer()
  const form = new FormData()
  for (const [name, value] of Object.entries(person)) form.set(name, value)
  form.set('image', new File([new Uint8Array(picture)], 'face.jpg', { type: 'image/jpeg' }))
  const response = await fetch(`${url}/api/identity/register`, {
    method: 'POST',
    body: form,
    headers: { 'accept-language': locale },
  })
  const session = (await response.json()) as Session
  if (!response.ok)
    throw new Error(`register answered ${response.status}: ${JSON.stringify(session)}`)
  const [name = '', value = ''] =
    (response.headers.getSetCookie()[0] ?? '').split(';')[0]?.split('=') ?? []
  return {
    ...person,
    id: session._id,
    accessToken: session.accessToken,
    cookie: { name, value, url },
  }
}

/**
 * Calls the API as a person. Returns the answer, null without a body.
 * @throws Error unless the call succeeds
 */
export async function call<Answer>(
  url: string,
  person: Registered,
  method: string,
  path: string,
  body?: object,
): Promise<Answer> {
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${person.accessToken}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
  // The contract says what each call answers.
  return (text === '' ? null : JSON.parse(text)) as Answer
}

/** Signs in by a session of the page's own: a shared one is renewed by whoever uses it, and its old cookies end it. */
export async function signIn(page: Page, url: string, person: NewPerson): Promise<void> {
  const { username, password } = person
  const response = await page.request.post(`${url}/api/identity/login`, {
    data: { username, password },
  })
  if (!response.ok()) throw new Error(`login answered ${response.status()}`)
}

/** Makes somebody an administrator, as whoever runs the product does. */
export async function grantAdministration(dataDir: string, person: NewPerson): Promise<void> {
  await promisify(execFile)(
    join('node_modules', '.bin', 'node'),
    ['scripts/admin.ts', 'grant', person.username],
    { env: { ...process.env, DATA_DIR: dataDir } },
  )
}

/** Fills all of the registration but the picture. */
export async function fillRegistration(page: Page, person: NewPerson): Promise<void> {
  await page.getByLabel(/^Username/).fill(person.username)
  await page.getByLabel(/^E-mail/).fill(person.email)
  await page.getByLabel(/^Password/).fill(person.password)
  await page.getByLabel(/^Repeat the password/).fill(person.password)
}

/** Signs in on the login page that is open. */
export async function logIn(page: Page, person: NewPerson): Promise<void> {
  await page.getByLabel('Username', { exact: true }).fill(person.username)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('button', { name: `Account of ${person.username}` }).waitFor()
}

let lessons = 0

/** Publishes a lesson through the API, unlike any other; answers its id. */
export async function publish(
  url: string,
  person: Registered,
  change: Record<string, string> = {},
): Promise<number> {
  lessons += 1
  const words = Array.from({ length: 40 }, (_, place) => `w${lessons}x${place}`).join(' ')
  const fields = {
    title: `Lesson ${lessons}`,
    description: 'What one learns in it',
    video: `https://www.youtube.com/watch?v=${`e${lessons}-${process.pid}________`.slice(0, 11)}`,
    tags: 'testing',
    resources: '',
    article: `<p>${words}</p>`,
    ...change,
  }
  const picture = await sharp({
    create: { width: 320, height: 180, channels: 3, background: '#1f3358' },
  })
    .jpeg()
    .toBuffer()
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('image', new File([new Uint8Array(picture)], 'picture.jpg', { type: 'image/jpeg' }))
  const headers = { authorization: `Bearer ${person.accessToken}` }
  const response = await fetch(`${url}/api/lesson/create`, { method: 'POST', body: form, headers })
  const answer = (await response.json()) as { id: number }
  if (!response.ok) throw new Error(`create answered ${response.status}: ${JSON.stringify(answer)}`)
  return answer.id
}

/** Publishes a course of these lessons through the API; answers its id. */
export async function publishCourse(
  url: string,
  person: Registered,
  lessons: readonly number[],
  change: Record<string, string> = {},
): Promise<number> {
  const picture = await sharp({
    create: { width: 640, height: 360, channels: 3, background: '#4c5a23' },
  })
    .jpeg()
    .toBuffer()
  const fields = { title: 'A course', description: 'What one learns in it', ...change }
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  for (const id of lessons) form.append('lessons', `${id}`)
  form.set('image', new File([new Uint8Array(picture)], 'picture.jpg', { type: 'image/jpeg' }))
  const headers = { authorization: `Bearer ${person.accessToken}` }
  const response = await fetch(`${url}/api/course/create`, { method: 'POST', body: form, headers })
  const answer = (await response.json()) as { id: number }
  if (!response.ok) throw new Error(`create answered ${response.status}: ${JSON.stringify(answer)}`)
  return answer.id
}
