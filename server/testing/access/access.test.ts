/**
 * Sends a request to every address and hub method as every role, and compares the answers with rows.ts. `npm run
 * --silent access` prints the table.
 */
import { expect, test } from 'vitest'
import { setRole } from '#server/people/accounts/store.ts'
import { createChatHub } from '#server/community/chat/hub.ts'
import { describeCalls } from '#server/testing/attacks/description.ts'
import { ask, askByToken } from '#server/testing/access/asking.ts'
import { ROLES } from '#server/testing/access/roles.ts'
import { rows } from '#server/testing/access/rows.ts'
import {
  exceptions,
  expectedOf,
  PROGRAMS,
  type Program,
  scopeOf,
} from '#server/testing/access/scopes.ts'
import { makeScene } from '#server/testing/access/scene.ts'
import { loadSourceRenderer } from '#server/testing/pages.ts'
import { openTestApp } from '#server/testing/setup.ts'

const ROWS = 'server/testing/access/rows.ts'
/** Number of rows tested at once. The roles of a row run one after the other, because they share its things. */
const AT_ONCE = 6
/** Enough for about 4,000 requests of a few ms each on a busy machine. */
const LONGEST_MS = 180_000
/** Settings that add addresses: the development mailbox, and a provider that can't be reached. */
const EVERYTHING = {
  NODE_ENV: 'development',
  HOST: '127.0.0.1',
  OIDC_ISSUER: 'http://127.0.0.1:9',
  OIDC_CLIENT_ID: 'bazaar',
  OIDC_CLIENT_SECRET: 'a secret of the tests, long enough to be one',
  OIDC_NAME: 'Example House',
}

const app = await openTestApp(
  { WELCOME_POINTS: '600', OWNER_EMAIL: 'desk@site.example', ...EVERYTHING },
  await loadSourceRenderer(),
)
const hub = createChatHub({ ...app.app.core, deliver: () => {} })
const addresses = [
  ...new Set([...app.app.addresses(), ...Object.keys(hub.methods).map((name) => `HUB ${name}`)]),
]
const scene = await makeScene(app)
/** The calls that take a form. */
const forms = new Set(
  (await describeCalls(app))
    .filter(({ form }) => form !== null)
    .map(({ method, path }) => `${method} /api${path}`),
)

test('every address of the server and every method of its hub has its row, and no row is without one', () => {
  const missing = addresses.filter((address) => rows[address] === undefined)
  const lines = missing.map((address) => `  '${address}': writes(200, {}, {}),`)
  const advice = `add to ${ROWS}, with what each role is answered (roles.ts has the kinds):\n${lines.join('\n')}`
  expect(missing, advice).toEqual([])
  expect(Object.keys(rows).filter((row) => !addresses.includes(row))).toEqual([])
})

test(
  'every role is answered what its row says, and reads no secret of others',
  async () => {
    const known = addresses.filter((address) => rows[address] !== undefined)
    const endsSessions = (address: string) => rows[address]?.by === 'newCookie'
    const wrong: string[] = []
    // Calls that end sessions come last, because they would end sessions that other rows have just started.
    for (const waiting of [
      known.filter((address) => !endsSessions(address)),
      known.filter(endsSessions),
    ]) {
      const askRows = async () => {
        for (let address = waiting.shift(); address !== undefined; address = waiting.shift())
          wrong.push(...(await compare(address)))
      }
      await Promise.all(Array.from({ length: AT_ONCE }, askRows))
    }
    expect(wrong.toSorted(), `answers that ${ROWS} does not expect`).toEqual([])
  },
  LONGEST_MS,
)

test(
  'every token of one scope is answered what its column says: where that scope is asked for as its person, elsewhere refused',
  async () => {
    expect([...exceptions.keys()].filter((address) => !addresses.includes(address))).toEqual([])
    const tokens = new Map<Program, string>()
    for (const program of PROGRAMS) tokens.set(program, await makeToken(program))
    const wrong: string[] = []
    const waiting = addresses.filter((address) => rows[address] !== undefined)
    const askCalls = async () => {
      for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
        const [method = '', path = ''] = address.split(' ')
        const row = rows[address]
        if (row === undefined) continue
        const call = { method, path, row, isForm: forms.has(address) }
        for (const [program, token] of tokens) {
          const { role, scope } = program
          const { found, text } = await askByToken(app, scene, call, { role, token })
          const expected = expectedOf(address, row, program)
          // The error must distinguish a missing scope from a missing right of the person.
          const isToldWhy =
            [scope, 'ignored'].includes(scopeOf(address)) ||
            ['HUB', 'HEAD'].includes(method) ||
            /scope|account/.test(text)
          if (found !== expected || !isToldWhy)
            wrong.push(
              `${address}: ${role}: ${scope}: '${found}' and not '${expected}', ${text.slice(0, 200)}`,
            )
        }
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, askCalls))
    expect(wrong.toSorted()).toEqual([])
  },
  LONGEST_MS,
)

/** An `admin` token of a user simulates one created while the user was an administrator. */
async function makeToken({ role, scope }: Program): Promise<string> {
  const person = scene.people[role]
  if (person === null) throw new Error(`the scene has the ${role}`)
  const make = () =>
    app.call<{ token: string }>('POST', '/identity/tokens', {
      as: person,
      json: { name: scope, scopes: [scope], days: 30, password: person.password },
    })
  const isNoMore = role === 'user' && scope === 'admin'
  if (isNoMore) {
    expect((await make()).status).toBe(400)
    await setRole(app.app.database.db, role, 'administrator')
  }
  const { status, body } = await make()
  expect(status).toBe(200)
  if (isNoMore) await setRole(app.app.database.db, role, 'user')
  return body.token
}

/** Returns a line for the roles whose answer differs from the row, or nothing. */
async function compare(address: string): Promise<string[]> {
  const [method = '', path = ''] = address.split(' ')
  const row = rows[address]
  if (row === undefined) return []
  const call = { method, path, row, isForm: forms.has(address) }
  const wrong: string[] = []
  let example = ''
  for (const role of ROLES) {
    const { found, text } = await ask(app, scene, call, role)
    if (found === row.answers[role]) continue
    wrong.push(`${role}: '${found}' and not '${row.answers[role]}'`)
    example = text.slice(0, 300)
  }
  return wrong.length === 0 ? [] : [`${address}: ${wrong.join(', ')}; the last said ${example}`]
}
