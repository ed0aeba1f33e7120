/**
 * Who may do what, held as a table: every address of the running server and every method of its hub, asked as every
 * role. What is expected stands in rows.ts; `npm run --silent access` prints it.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SCOPES, type Scope } from '#contract/endpoint.ts'
import { createChatHub } from '#server/chat/hub.ts'
import { ask, isLetIn } from '#server/testing/access/asking.ts'
import { ROLES } from '#server/testing/access/roles.ts'
import { rows } from '#server/testing/access/rows.ts'
import { scopes } from '#server/testing/access/scopes.ts'
import { makeScene, type Scene } from '#server/testing/access/scene.ts'
import { createTestApp, type TestApp } from '#server/testing/app.ts'
import { loadSourceRenderer } from '#server/testing/pages.ts'

const ROWS = 'server/testing/access/rows.ts'
/** Rows at once; the roles of a row one after the other, so that refusals leave what they were refused. */
const AT_ONCE = 6

let app: TestApp
let scene: Scene
let addresses: string[]

beforeAll(async () => {
  app = await createTestApp(
    { WELCOME_POINTS: '600', OWNER_EMAIL: 'desk@site.example' },
    await loadSourceRenderer(),
  )
  const hub = createChatHub({ ...app.app.core, deliver: () => {} })
  addresses = [
    ...new Set([...app.app.addresses, ...Object.keys(hub.methods).map((name) => `HUB ${name}`)]),
  ]
  scene = await makeScene(app)
})
afterAll(() => app.close())

test('every address of the server and every method of its hub has its row, and no row is without one', () => {
  const missing = addresses.filter((address) => rows[address] === undefined)
  const lines = missing.map((address) => `  '${address}': writes(200, {}, {}),`)
  const advice = `add to ${ROWS}, with what each role is answered (roles.ts has the kinds):\n${lines.join('\n')}`
  expect(missing, advice).toEqual([])
  expect(Object.keys(rows).filter((row) => !addresses.includes(row))).toEqual([])
})

test('every role is answered what its row says, and reads no secret of others', async () => {
  const forms = await findForms()
  const known = addresses.filter((address) => rows[address] !== undefined)
  const endsSessions = (address: string) => rows[address]?.by === 'newCookie'
  const wrong: string[] = []
  // What ends sessions comes last: it would end those that others of their rows have just begun.
  for (const waiting of [
    known.filter((address) => !endsSessions(address)),
    known.filter(endsSessions),
  ]) {
    const askRows = async () => {
      for (let address = waiting.shift(); address !== undefined; address = waiting.shift())
        wrong.push(...(await compare(address, forms)))
    }
    await Promise.all(Array.from({ length: AT_ONCE }, askRows))
  }
  expect(wrong.toSorted(), `answers that ${ROWS} does not expect`).toEqual([])
})

test('a token of an administrator with one scope is let into the calls of that scope, and into no other', async () => {
  const forms = await findForms()
  const tokens = new Map<Scope, string>()
  for (const scope of SCOPES) tokens.set(scope, await makeToken(scope))
  // What HEAD answers has no body, so it can't be seen why it refuses.
  const waiting = addresses.filter((address) => /^(?:(?!HEAD )\w+ \/api\/|HUB )/.test(address))
  const found = new Map<string, string>()
  const askCalls = async () => {
    for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
      const [method = '', path = ''] = address.split(' ')
      const row = rows[address]
      if (row === undefined) continue
      const call = { method, path, row, isForm: forms.has(address) }
      const letIn: Scope[] = []
      for (const [scope, token] of tokens)
        if (await isLetIn(app, scene, call, token)) letIn.push(scope)
      found.set(address, letIn.join(', ') || 'none')
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, askCalls))
  const inOrder = (all: ReadonlyMap<string, string>) =>
    [...all].map(([call, scope]) => `${call}: ${scope}`).toSorted()
  expect(inOrder(found), 'each call has its scope in scopes.ts').toEqual(inOrder(scopes))
})

async function makeToken(scope: Scope): Promise<string> {
  const { administrator } = scene.people
  if (administrator === null) throw new Error('the scene has an administrator')
  const { status, body } = await app.call<{ token: string }>('POST', '/identity/tokens', {
    as: administrator,
    json: { name: scope, scopes: [scope], days: 30, password: administrator.password },
  })
  expect(status).toBe(200)
  return body.token
}

/** One line for the roles that are answered otherwise than the row expects; none when there are none. */
async function compare(address: string, forms: ReadonlySet<string>): Promise<string[]> {
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

/** The calls that take a form, as the API describes itself. */
async function findForms(): Promise<ReadonlySet<string>> {
  type Described = { requestBody?: { content: Record<string, unknown> } }
  const { body } = await app.call<{ paths: Record<string, Record<string, Described>> }>(
    'GET',
    '/openapi.json',
  )
  return new Set(
    Object.entries(body.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { requestBody }]) => requestBody?.content['multipart/form-data'] !== undefined)
        .map(([method]) => `${method.toUpperCase()} /api${path}`),
    ),
  )
}
