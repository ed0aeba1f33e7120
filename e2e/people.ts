/** Creates people for tests through the API or the forms. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import type { Session } from '#contract/accounts.ts'
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

/** Returns data for a new account without creating it. */
export function newPerson(): NewPerson {
  count += 1
  const username = `p${process.pid}x${Date.now().toString(36)}${count}`.slice(-20)
  return { username, email: `${username}@people.example`, password: `secret of ${username}` }
}

function draw(width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#0e5f49' } })
    .jpeg()
    .toBuffer()
}
const face = draw(64, 64)
const cover = draw(640, 360)

/** Posts a form with a picture. @throws Error unless it succeeds */
async function postForm<Answer>(
  address: string,
  fields: Iterable<readonly [string, string]>,
  picture: Buffer,
  headers: Record<string, string>,
): Promise<{ readonly answer: Answer; readonly cookies: readonly string[] }> {
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  form.set('image', new File([new Uint8Array(picture)], 'picture.jpg', { type: 'image/jpeg' }))
  const response = await fetch(address, { method: 'POST', body: form, headers })
  const answer: unknown = await response.json()
  if (!response.ok)
    throw new Error(`${address} answered ${response.status}: ${JSON.stringify(answer)}`)
  // The contract defines the answer of each call.
  return { answer: answer as Answer, cookies: response.headers.getSetCookie() }
}

/** Registers through the API with a language for mails. */
export async function register(
  url: string,
  change: Partial<NewPerson> = {},
  locale: Locale = 'en',
): Promise<Registered> {
  const person = { ...newPerson(), ...change }
  const { answer, cookies } = await postForm<Session>(
    `${url}/api/identity/register`,
    Object.entries(person),
    await face,
    { 'accept-language': locale },
  )
  const [name = '', value = ''] = (cookies[0] ?? '').split(';')[0]?.split('=') ?? []
  return {
    ...person,
    id: answer._id,
    accessToken: answer.accessToken,
    cookie: { name, value, url },
  }
}

/**
 * Calls the API as a person. Returns the answer, or null without a body.
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
  // The contract defines the answer of each call.
  return (text === '' ? null : JSON.parse(text)) as Answer
}

/**
 * Signs in with a new session for the page, because a shared refresh cookie becomes invalid when another page
 * renews it.
 */
export async function signIn(page: Page, url: string, person: NewPerson): Promise<void> {
  const { username, password } = person
  const response = await page.request.post(`${url}/api/identity/login`, {
    data: { username, password },
  })
  if (!response.ok()) throw new Error(`login answered ${response.status()}`)
}

/** Makes a person an administrator with the operator's command. */
export async function grantAdministration(dataDir: string, person: NewPerson): Promise<void> {
  await promisify(execFile)(
    join('node_modules', '.bin', 'node'),
    ['scripts/admin.ts', 'grant', person.username],
    { env: { ...process.env, DATA_DIR: dataDir } },
  )
}

/** Fills the registration form except for the picture. */
export async function fillRegistration(page: Page, person: NewPerson): Promise<void> {
  await page.getByLabel(/^Username/).fill(person.username)
  await page.getByLabel(/^E-mail/).fill(person.email)
  await page.getByLabel(/^Password/).fill(person.password)
  await page.getByLabel(/^Repeat the password/).fill(person.password)
}

/** Signs in on the open login page. */
export async function logIn(page: Page, person: NewPerson): Promise<void> {
  await page.getByLabel('Username', { exact: true }).fill(person.username)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: `Account of ${person.username}` }).waitFor()
}

let lessons = 0

/** Publishes a unique lesson through the API and returns its id. */
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
  return postItem(url, person, 'lesson', Object.entries(fields))
}

/** Publishes lessons, `Title 1` first, and returns their ids. */
export async function publishMany(
  url: string,
  person: Registered,
  title: string,
  count: number,
): Promise<number[]> {
  const ids: number[] = []
  for (let place = 1; place <= count; place += 1)
    ids.push(await publish(url, person, { title: `${title} ${place}` }))
  return ids
}

async function postItem(
  url: string,
  person: Registered,
  kind: 'lesson' | 'course',
  fields: Iterable<readonly [string, string]>,
): Promise<number> {
  const headers = { authorization: `Bearer ${person.accessToken}` }
  const { answer } = await postForm<{ id: number }>(
    `${url}/api/${kind}/create`,
    fields,
    await cover,
    headers,
  )
  return answer.id
}

/** Publishes a course of these lessons through the API and returns its id. */
export async function publishCourse(
  url: string,
  person: Registered,
  lessons: readonly number[],
  change: Record<string, string> = {},
): Promise<number> {
  const fields = { title: 'A course', description: 'What one learns in it', ...change }
  const held = lessons.map((id) => ['lessons', `${id}`] as const)
  return postItem(url, person, 'course', [...Object.entries(fields), ...held])
}
