/** Creates people for tests through the API or the forms. */
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import type { Session } from '#contract/accounts.ts'
import { COURSE_LESSONS } from '#contract/limits.ts'
import { givePoints, makeAdministrator } from './database.ts'
import type { Server } from './server.ts'

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

/** Returns a JPEG. People and lessons without one get a drawing, which is faster. */
export const drawPicture = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#0e5f49' } })
    .jpeg()
    .toBuffer()

const coursePicture = drawPicture(64, 36)

/** Posts a form. @throws Error unless it succeeds */
async function postForm<Answer>(
  address: string,
  fields: Iterable<readonly [string, string]>,
  headers: Record<string, string>,
  picture?: Buffer,
): Promise<{ readonly answer: Answer; readonly cookies: readonly string[] }> {
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  if (picture !== undefined)
    form.set('image', new File([new Uint8Array(picture)], 'picture.jpg', { type: 'image/jpeg' }))
  const response = await fetch(address, { method: 'POST', body: form, headers })
  const answer: unknown = await response.json()
  if (!response.ok)
    throw new Error(`${address} answered ${response.status}: ${JSON.stringify(answer)}`)
  // The contract defines the answer of each call.
  return { answer: answer as Answer, cookies: response.headers.getSetCookie() }
}

/** Registers through the API, with English mails. */
export async function register(
  url: string,
  change: Partial<NewPerson> = {},
  picture?: Buffer,
): Promise<Registered> {
  const person = { ...newPerson(), ...change }
  const { answer, cookies } = await postForm<Session>(
    `${url}/api/identity/register`,
    Object.entries({ ...person, face: 'drawn' }),
    { 'accept-language': 'en' },
    picture,
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

export async function registerAdministrator(
  { url, dataDir }: Pick<Server, 'url' | 'dataDir'>,
  change: Partial<NewPerson> = {},
): Promise<Registered> {
  const person = await register(url, change)
  await makeAdministrator(dataDir, person.id)
  return person
}

/** Registers a person with points, who then unlocks these items, such as `lesson/buy/1`. */
export async function registerBuyer(
  { url, dataDir }: Server,
  points: number,
  ...bought: readonly string[]
): Promise<Registered> {
  const person = await register(url)
  await givePoints(dataDir, person.id, points)
  for (const path of bought) await call(url, person, 'POST', `/${path}`)
  return person
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
  picture?: Buffer,
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
    cover: 'drawn',
    ...change,
  }
  return postItem(url, person, 'lesson', Object.entries(fields), picture)
}

async function postItem(
  url: string,
  { accessToken }: Registered,
  kind: 'lesson' | 'course',
  fields: Iterable<readonly [string, string]>,
  picture?: Buffer,
): Promise<number> {
  const headers = { authorization: `Bearer ${accessToken}` }
  const address = `${url}/api/${kind}/create`
  return (await postForm<{ id: number }>(address, fields, headers, picture)).answer.id
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
  const all = [...Object.entries(fields), ...held]
  return postItem(url, person, 'course', all, await coursePicture)
}

export interface Shelf {
  readonly author: Registered
  readonly lessons: readonly number[]
  /** The first of the lessons. */
  readonly lesson: number
  readonly course: number
}

interface ShelfChange {
  /** Number of lessons. */
  readonly count?: number
  /** Fields of the lesson at a place, of which the first is 1. */
  readonly lesson?: (place: number) => Record<string, string>
  readonly course?: Record<string, string>
  /** Place of the course's free preview. */
  readonly preview?: number
  /** The picture of each lesson. */
  readonly picture?: Buffer
}

/** Creates an author with lessons, `Title 1` first, and the course `All of Title` with the first six. */
export async function publishShelf(
  url: string,
  title: string,
  { count = COURSE_LESSONS.min, lesson, course, preview, picture }: ShelfChange = {},
): Promise<Shelf> {
  const author = await register(url)
  const lessons: number[] = []
  for (let place = 1; place <= count; place += 1) {
    const change = { title: `${title} ${place}`, ...lesson?.(place) }
    lessons.push(await publish(url, author, change, picture))
  }
  const id = await publishCourse(url, author, lessons.slice(0, COURSE_LESSONS.min), {
    title: `All of ${title}`,
    ...(preview !== undefined && { freePreview: `${lessons[preview - 1]}` }),
    ...course,
  })
  return { author, lessons, lesson: lessons[0] ?? 0, course: id }
}
