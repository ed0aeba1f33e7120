import type { Session } from '#contract/accounts.ts'
import { lessonForm, testPicture } from '#server/testing/app.ts'

export interface Person {
  readonly id: string
  readonly username: string
  readonly accessToken: string
}

let made = 0

/** Registers a new person. @throws Error with the answer */
export async function register(origin: string): Promise<Person> {
  made += 1
  const username = `f${process.pid}x${made}`
  const form = new FormData()
  form.set('username', username)
  form.set('email', `${username}@people.example`)
  form.set('password', `secret of ${username}`)
  form.set('image', await testPicture())
  const answer = await fetch(`${origin}/api/identity/register`, { method: 'POST', body: form })
  if (!answer.ok) throw new Error(`register answered ${answer.status}: ${await answer.text()}`)
  const session = (await answer.json()) as Session
  return { id: session._id, username, accessToken: session.accessToken }
}

export interface CallOptions {
  readonly json?: unknown
  readonly form?: FormData
  /** Defaults to CALL_MS. */
  readonly timeoutMs?: number
}

/** Describes a request without an answer: "over 5 s", "broken off (ECONNRESET)". */
export function silenceOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return `broken off (${String(error)})`
  if (error.name === 'TimeoutError') return `over ${timeoutMs / 1000} s`
  const { cause } = error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : error.message
  return `broken off (${code})`
}

export const CALL_MS = 5000

/** Calls the API as a person. @throws the error of `fetch` when there is no answer in time */
export async function call(
  origin: string,
  person: Person,
  method: string,
  path: string,
  { json, form, timeoutMs = CALL_MS }: CallOptions = {},
): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`${origin}/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${person.accessToken}`,
      ...(json !== undefined && { 'content-type': 'application/json' }),
    },
    body: form ?? (json === undefined ? null : JSON.stringify(json)),
    signal: AbortSignal.timeout(timeoutMs),
  })
  const text = await answer.text()
  const isJson = /json/.test(answer.headers.get('content-type') ?? '')
  return { status: answer.status, body: isJson && text !== '' ? JSON.parse(text) : text }
}

/** Publishes a lesson. @throws Error with the answer */
export async function publish(origin: string, person: Person): Promise<number> {
  const { status, body } = await call(origin, person, 'POST', '/lesson/create', {
    form: await lessonForm(),
  })
  if (status !== 200) throw new Error(`create answered ${status}: ${JSON.stringify(body)}`)
  return (body as { id: number }).id
}
