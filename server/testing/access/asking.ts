/** Sends a row of the access table as one role, and converts the answer to the notation of the table. */
import { randomUUID } from 'node:crypto'
import { HttpTransportType } from '@microsoft/signalr'
import { createTokens } from '#server/people/accounts/sessions/tokens.ts'
import { SECRETS, type Expected, type Role, type Row } from '#server/testing/access/roles.ts'
import type { Scene } from '#server/testing/access/scene.ts'
import { buildConnection } from '#server/testing/http/hub.ts'
import { TEST_SECRET, type Person, type TestApp } from '#server/testing/app.ts'

const HOUR_MS = 60 * 60 * 1000

interface Call {
  readonly method: string
  readonly path: string
  readonly row: Row
  readonly isForm: boolean
}

/** Calls with an access token of the role's program. */
export async function askByToken(
  app: TestApp,
  scene: Scene,
  call: Call,
  { role, token }: { readonly role: Role; readonly token: string },
): Promise<{ readonly found: Expected; readonly text: string }> {
  const person = scene.people[role]
  if (person === null) throw new Error(`${role} is nobody who could have a token`)
  const session = { ...person.session, accessToken: token }
  const program = { ...scene, people: { ...scene.people, [role]: { ...person, session } } }
  return ask(app, program, { ...call, row: { ...call.row, by: 'bearer' } }, role)
}

/** Returns the status and the secrets found in the answer. */
export async function ask(
  app: TestApp,
  scene: Scene,
  call: Call,
  role: Role,
): Promise<{ readonly found: Expected; readonly text: string }> {
  const filled = await fill(scene, role, call.row.sent)
  const sent = Object.fromEntries(Object.entries(filled as Record<string, unknown>))
  const person = scene.people[role]
  const { status, text } =
    call.method === 'HUB'
      ? await askHub(app, person, call.path, sent['arguments'])
      : await askHttp(app, person, call, sent)
  const known = SECRETS.filter((secret) => text.includes(scene.secrets[secret]))
  return { found: known.length === 0 ? status : `${status} ${known.join(' ')}`, text }
}

/** Replaces `{name}` with a value of the scene. A text that is only a placeholder becomes the value itself. */
async function fill(scene: Scene, role: Role, value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((part) => fill(scene, role, part)))
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
    const filled = entries.map(async ([name, part]) => [name, await fill(scene, role, part)])
    return Object.fromEntries(await Promise.all(filled))
  }
  if (typeof value !== 'string') return value
  const valueOf = async (name: string) => {
    const make = scene.values[name]
    if (make === undefined) throw new Error(`the scene of the table has no {${name}}`)
    return make(role)
  }
  const placeholder = /^\{(\w+)\}$/.exec(value)?.[1]
  if (placeholder !== undefined) return valueOf(placeholder)
  let text = value
  for (const [place, name = ''] of value.matchAll(/\{(\w+)\}/g))
    text = text.replace(place, String(await valueOf(name)))
  return text
}

interface Answered {
  readonly status: number
  readonly text: string
}

async function askHttp(
  app: TestApp,
  person: Person | null,
  { method, path, row, isForm }: Call,
  sent: Record<string, unknown>,
): Promise<Answered> {
  const rest = new Map(Object.entries(sent))
  const address = path.replaceAll(/\{(\w+)\}|\*/g, (place, name: string | undefined) => {
    const key = name ?? place
    const value = rest.get(key)
    rest.delete(key)
    if (typeof value !== 'string' && typeof value !== 'number')
      throw new Error(`${method} ${path} needs a value for ${key}`)
    return key === '*' ? String(value) : encodeURIComponent(value)
  })
  const headers = new Headers({ origin: app.url })
  if (person !== null && row.by === 'cookie') headers.set('cookie', person.cookie)
  if (person !== null && row.by === 'newCookie')
    headers.set('cookie', await newCookieOf(app, person))
  if (person !== null && row.by === 'bearer')
    headers.set('authorization', `Bearer ${person.session.accessToken}`)
  const body = ['GET', 'HEAD', 'DELETE'].includes(method) ? null : bodyOf(rest, isForm)
  if (typeof body === 'string') headers.set('content-type', 'application/json')
  const target = new URL(address, app.url)
  if (body === null) for (const [name, value] of rest) target.searchParams.set(name, String(value))
  const answer = await fetch(target, { method, headers, body, redirect: 'manual' })
  return { status: answer.status, text: await answer.text() }
}

/** Returns the refresh cookie of a new session. */
async function newCookieOf({ app, clock }: TestApp, person: Person): Promise<string> {
  const tokens = createTokens({ secrets: [TEST_SECRET], accessMinutes: 1, clock })
  const session = {
    id: randomUUID(),
    user_id: person.session._id,
    expires_at: new Date(clock.now().getTime() + HOUR_MS),
  }
  await app.database.db.insertInto('sessions').values(session).execute()
  return `kb=${tokens.refreshToken(session.id, 1)}`
}

function bodyOf(fields: ReadonlyMap<string, unknown>, isForm: boolean): FormData | string | null {
  if (!isForm) return fields.size === 0 ? null : JSON.stringify(Object.fromEntries(fields))
  const form = new FormData()
  for (const [name, value] of fields) form.set(name, value instanceof File ? value : String(value))
  // Browsers never send a form without fields.
  if (fields.size === 0) form.set('none', '')
  return form
}

/** Returns 200 if the method answered, 403 if it refused, else the status of the failed connection. */
async function askHub(
  app: TestApp,
  person: Person | null,
  method: string,
  given: unknown,
): Promise<Answered> {
  const transport = HttpTransportType.LongPolling
  const connection = buildConnection(app, person?.session.accessToken ?? '', { transport })
  try {
    await connection.start()
  } catch (error) {
    return { status: Number(/Status code '(\d+)'/.exec(String(error))?.[1] ?? 0), text: '' }
  }
  try {
    const answer: unknown = await connection.invoke(method, ...(Array.isArray(given) ? given : []))
    return { status: 200, text: JSON.stringify(answer ?? null) }
  } catch (error) {
    return { status: 403, text: String(error) }
  } finally {
    await connection.stop()
  }
}
