/** Verifies the credential of a certificate as a program that only knows the published key. */
import { gunzipSync } from 'node:zlib'
import { decodeProtectedHeader, importJWK, jwtVerify, type JWK, type JWTPayload } from 'jose'
import { afterAll, describe, expect, test } from 'vitest'
import { createSealing } from '#server/people/accounts/factors/sealing.ts'
import { setRole } from '#server/people/accounts/store.ts'
import { didOf } from '#server/items/certificates/credential/did.ts'
import { createSigning, rotateKey, SEALED_FOR } from '#server/items/certificates/credential/keys.ts'
import { createLog } from '#server/kernel/log.ts'
import { createTestApp, TEST_SECRET, type Person } from '#server/testing/app.ts'
import { finishCourse } from '#server/testing/learning/finishing.ts'

const app = await createTestApp({ SITE_NAME: 'The stall' })
const course = await app.publishCourse(await app.signUp('ann'), { title: 'Bread' })
afterAll(() => app.close())

async function holder(name: string): Promise<{ person: Person; code: string }> {
  const person = await app.signUp(name)
  await finishCourse(app, person, course)
  const json = { name: `${name} of Sofia` }
  const { status, body } = await app.call<{ code: string }>('POST', `/certificate/${course.id}`, {
    as: person,
    json,
  })
  expect(status).toBe(200)
  return { person, code: body.code }
}

const fetchCredential = (code: string) => fetch(`${app.url}/credentials/${code}.jwt`)

interface Did {
  id: string
  verificationMethod: { id: string; type: string; controller: string; publicKeyJwk: JWK }[]
  assertionMethod: string[]
}
const readDid = async (): Promise<Did> =>
  (await (await fetch(`${app.url}/.well-known/did.json`)).json()) as Did

interface Credential extends JWTPayload {
  '@context': string[]
  id: string
  type: string[]
  issuer: { id: string; type: string[]; name: string; url: string }
  validFrom: string
  credentialSubject: {
    id: string
    type: string[]
    identifier: { type: string; identityHash: string; hashed: boolean; identityType: string }[]
    achievement: {
      id: string
      type: string[]
      name: string
      description: string
      criteria: { narrative: string }
    }
  }
  credentialStatus: {
    id: string
    type: string
    statusPurpose: string
    statusListIndex: string
    statusListCredential: string
  }
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

interface StatusList extends JWTPayload {
  type: string[]
  credentialSubject: { type: string; statusPurpose: string; encodedList: string }
}

/** Returns whether the credential's bit is set in its status list. */
async function isEnded({ credentialStatus }: Credential): Promise<boolean> {
  const answer = await fetch(credentialStatus.statusListCredential)
  expect(answer.headers.get('content-type')).toContain('application/vc+jwt')
  const list = await verify<StatusList>(await answer.text())
  expect(list.type).toContain('BitstringStatusListCredential')
  expect(list.credentialSubject).toMatchObject({
    type: 'BitstringStatusList',
    statusPurpose: credentialStatus.statusPurpose,
  })
  const { encodedList } = list.credentialSubject
  expect(encodedList.startsWith('u')).toBe(true)
  const bits = gunzipSync(Buffer.from(encodedList.slice(1), 'base64url'))
  expect(bits.length).toBeGreaterThanOrEqual(16_384)
  const index = Number(credentialStatus.statusListIndex)
  return (((bits[index >> 3] ?? 0) >> (7 - (index & 7))) & 1) === 1
}

test('the did:web of the site contains its port', () => {
  expect(didOf('https://bazaar.example')).toBe('did:web:bazaar.example')
  expect(didOf('https://bazaar.example:8443')).toBe('did:web:bazaar.example%3A8443')
})

test('an unknown certificate has no credential', async () => {
  expect((await fetchCredential('0'.repeat(26))).status).toBe(404)
  for (const file of ['x.jwt', 'status-01.jwt', 'status--1.jwt', 'status-9999.jwt', '..%2f.jwt'])
    expect([file, (await fetch(`${app.url}/credentials/${file}`)).status]).toEqual([file, 404])
})

test('a program verifies it with only the published key', async () => {
  const { code } = await holder('bob')
  const answer = await fetchCredential(code)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toContain('application/vc+jwt')
  // Pages of other sites may verify it.
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  const jwt = await answer.text()
  const credential = await verify(jwt)
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
  expect(credential.credentialSubject.identifier[0]?.identityHash).toBe('bob of Sofia')
})

test('it has what Open Badges 3.0 requires of an AchievementCredential', async () => {
  const { code } = await holder('fay')
  const credential = await verify(await (await fetchCredential(code)).text())
  const page = `${app.url}/certificate/${code}`
  expect(credential['@context'].slice(0, 2)).toEqual([
    'https://www.w3.org/ns/credentials/v2',
    'https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json',
  ])
  expect(credential.type).toEqual(['VerifiableCredential', 'AchievementCredential'])
  const { issuer, credentialSubject: subject, validFrom } = credential
  expect(issuer).toEqual({ id: didOf(app.url), type: ['Profile'], name: 'The stall', url: app.url })
  expect(subject.type).toEqual(['AchievementSubject'])
  expect(subject.identifier).toEqual([
    { type: 'IdentityObject', hashed: false, identityHash: 'fay of Sofia', identityType: 'name' },
  ])
  expect(subject.achievement).toMatchObject({
    id: `${app.url}/course/details/${course.id}`,
    type: ['Achievement'],
    name: 'Bread',
    description: 'What one learns in all of it',
  })
  const { narrative } = subject.achievement.criteria
  expect(narrative).toContain('by ann')
  for (const { title } of course.lessons) expect(narrative).toContain(title)
  // The claims of the JWT match the credential.
  expect(credential).toMatchObject({ id: page, jti: page, iss: issuer.id, sub: subject.id })
  expect(validFrom).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  expect((credential.nbf ?? 0) * 1000).toBe(Date.parse(validFrom))
  const shown = await app.call<{ date: string }>('GET', `/certificate/${code}`)
  expect(Date.parse(shown.body.date)).toBe(Date.parse(validFrom))
})

test('repeated requests return the same bytes', async () => {
  const { code } = await holder('eve')
  const read = async () => (await fetchCredential(code)).text()
  expect(await read()).toBe(await read())
})

describe('an ended one', () => {
  test('is not available, and is marked in the status list of its copies', async () => {
    const [one, two, three] = [await holder('one'), await holder('two'), await holder('three')]
    const read = async (code: string) => verify(await (await fetchCredential(code)).text())
    const [first, second, third] = [
      await read(one.code),
      await read(two.code),
      await read(three.code),
    ]
    for (const credential of [first, second, third]) expect(await isEnded(credential)).toBe(false)
    const withdrawn = await app.call('DELETE', `/certificate/${one.code}`, { as: one.person })
    expect(withdrawn.status).toBe(204)
    await app.signUp('desk').then(async (desk) => {
      await setRole(app.app.database.db, 'desk', 'administrator')
      const path = `/certificate/${three.code}?reason=Bought+the+answers`
      expect((await app.call('DELETE', path, { as: desk })).status).toBe(204)
    })
    expect([await isEnded(first), await isEnded(second), await isEnded(third)]).toEqual([
      true,
      false,
      true,
    ])
    expect((await fetchCredential(one.code)).status).toBe(410)
    expect((await fetchCredential(three.code)).status).toBe(410)
    expect((await fetchCredential(two.code)).status).toBe(200)
  })
})

describe('the key', () => {
  const needs = (secrets: readonly [string, ...string[]] = [TEST_SECRET]) => ({
    db: app.app.database.db,
    clock: app.clock,
    log: createLog('silent'),
    sealing: createSealing(secrets, SEALED_FOR),
  })
  const stored = async () =>
    (
      await app.app.database.pool.query<{ kid: string; sealed: Buffer | null }>(
        'select kid, sealed from certificate_keys order by id',
      )
    ).rows

  test('is shared by all nodes, even if they need the first one concurrently', async () => {
    await app.app.database.pool.query('delete from certificate_keys')
    const keys = await Promise.all(Array.from({ length: 5 }, () => createSigning(needs())()))
    expect(new Set(keys.map(({ kid }) => kid)).size).toBe(1)
    expect(await stored()).toHaveLength(1)
  })
  test('is encrypted in the database, and its private part is published nowhere', async () => {
    const [key] = await stored()
    const text = key?.sealed?.toString('latin1') ?? ''
    const opened = createSealing([TEST_SECRET], SEALED_FOR).open(
      key?.sealed ?? Buffer.of(),
      key?.kid ?? '',
    )
    expect(opened?.secret).toMatch(/^[\w-]{43}$/)
    expect(text).not.toContain(opened?.secret)
    const did = JSON.stringify(await readDid())
    expect(did).not.toContain(opened?.secret)
    for (const { publicKeyJwk } of (await readDid()).verificationMethod)
      expect(Object.keys(publicKeyJwk)).toEqual(['kty', 'crv', 'x'])
  })
  test('can be replaced while the server runs; old signatures stay valid, and the old key signs no more', async () => {
    const { code } = await holder('gus')
    const before = await (await fetchCredential(code)).text()
    const kid = await rotateKey(needs(), false)
    const after = await (await fetchCredential(code)).text()
    expect(decodeProtectedHeader(after).kid).toBe(`${didOf(app.url)}#${kid}`)
    expect(decodeProtectedHeader(before).kid).not.toBe(decodeProtectedHeader(after).kid)
    expect((await verify(before)).id).toBe((await verify(after)).id)
    expect((await stored()).filter(({ sealed }) => sealed !== null)).toHaveLength(1)
  })
  test('that leaked can be revoked with all its signatures', async () => {
    const { code } = await holder('hal')
    const before = await (await fetchCredential(code)).text()
    await rotateKey(needs(), true)
    await expect(verify(before)).rejects.toThrow('no key')
    expect((await verify(await (await fetchCredential(code)).text())).jti).toContain(code)
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
