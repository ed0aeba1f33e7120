/** Certificates in a restored backup: old signatures stay valid, and the same key signs new ones. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { decodeProtectedHeader, importJWK, jwtVerify, type JWK } from 'jose'
import { afterAll, expect, test } from 'vitest'
import type { Certificate } from '#contract/certificates.ts'
import { createTestApp, TEST_SECRET, type TestApp } from '#server/testing/app.ts'
import { addressOf, command } from '#server/testing/backup/commands.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { finishCourse } from '#server/testing/learning/finishing.ts'

const run = promisify(execFile)

const folder = await mkdtemp(join(tmpdir(), 'kb-restored-'))
const app = await createTestApp()
const course = await app.publishCourse(await app.signUp('ann'), { title: 'Bread' })
const bob = await app.signUp('bob')
await finishCourse(app, bob, course)
const json = { name: 'Bob B. Baker' }
const taken = await app.call<{ code: string }>('POST', `/certificate/${course.id}`, {
  as: bob,
  json,
})
expect(taken.status).toBe(200)
const code = taken.body.code
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

const download = async (from: TestApp) =>
  (await fetch(`${from.url}/credentials/${code}.jwt`)).text()

/** Verifies with jose and the published document of an installation. @throws when the site did not sign this */
async function verifiedAt(at: TestApp, jwt: string): Promise<string | undefined> {
  const did = (await (await fetch(`${at.url}/.well-known/did.json`)).json()) as {
    id: string
    verificationMethod: { id: string; publicKeyJwk: JWK }[]
  }
  const { kid } = decodeProtectedHeader(jwt)
  const method = did.verificationMethod.find(({ id }) => id === kid)
  if (method === undefined) throw new Error('no key')
  const key = await importJWK(method.publicKeyJwk, 'EdDSA')
  const { payload } = await jwtVerify(jwt, key, { issuer: did.id, algorithms: ['EdDSA'] })
  return payload.jti
}

test('a command replaces the key, and after a restore all old signatures are valid', async () => {
  const first = await download(app)
  const { stdout } = await run(process.execPath, ['scripts/admin.ts', 'certificates', 'rotate'], {
    env: {
      PUBLIC_URL: app.url,
      PATH: process.env['PATH'] ?? '',
      DATA_DIR: app.dataDir,
      DATABASE_URL: addressOf(app.connection),
      AUTH_SECRETS: TEST_SECRET,
    },
    timeout: 60_000,
  })
  expect(stdout).not.toBe('')
  const second = await download(app)
  const kidOf = (jwt: string) => decodeProtectedHeader(jwt).kid
  expect(kidOf(second)).not.toBe(kidOf(first))

  const file = join(folder, 'whole.tar')
  expect(await command('backup', app, [file])).toMatchObject({ code: 0 })
  const to = { connection: await createTestDatabase(), dataDir: join(folder, 'data') }
  expect(await command('restore', to, [file])).toMatchObject({ code: 0 })
  const other = await createTestApp({ DATA_DIR: to.dataDir }, null, {
    connection: to.connection,
    // The site keeps its address when it moves.
    url: app.url,
  })
  try {
    const id = `${app.url}/certificate/${code}`
    expect(await verifiedAt(other, first)).toBe(id)
    expect(await verifiedAt(other, second)).toBe(id)
    // The same key signs there, because the backup contains its encrypted private key.
    const third = await download(other)
    expect(kidOf(third)).toBe(kidOf(second))
    expect(await verifiedAt(app, third)).toBe(id)
    const shown = await other.call<Certificate>('GET', `/certificate/${code}`)
    expect(shown.body).toMatchObject({ state: 'valid', name: 'Bob B. Baker' })
  } finally {
    await other.close()
  }
}, 180_000)
