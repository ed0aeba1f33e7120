import { describe, expect, it } from 'vitest'
import type { Session } from '#contract/accounts.ts'
import { skeleton } from '#server/kernel/text/fold.ts'
import { createTestApp, testPicture } from '#server/testing/app.ts'
import { formOf } from '#server/testing/http/forms.ts'
import { openTestApp } from '#server/testing/setup.ts'

const app = await openTestApp({ WELCOME_POINTS: '30' })

type FormErrors = { code: string; description: string; field?: string }[]
let count = 0

async function register(change: Record<string, string | File | null> = {}, on = app) {
  count += 1
  const fields = {
    username: `person${count}`,
    email: `person${count}@people.example`,
    password: 'correct horse',
    image: await testPicture(),
    ...change,
  }
  const form = formOf(fields)
  return on.call<Session & FormErrors>('POST', '/identity/register', { form })
}

const fieldsOf = (body: FormErrors) => body.map((error) => error.field)

describe('registration', () => {
  it.each([
    ['no name', { username: '' }, 'username'],
    ['a name in two scripts', { username: 'аnn' }, 'username'],
    ['a common password', { password: 'Password123' }, 'password'],
    ['another repeated password', { rePassword: 'wrong horse' }, 'rePassword'],
    ['no picture', { image: null }, 'image'],
    ['a face that nobody draws', { face: 'painted' }, 'face'],
    ['a text called picture', { image: new File(['no picture'], 'a.jpg') }, 'image'],
  ])('refuses %s at its field', async (_, change, field) => {
    const { status, body } = await register(change)
    expect(status).toBe(400)
    expect(fieldsOf(body)).toEqual([field])
  })

  it('reports a taken name and address together', async () => {
    await register({ username: 'Milena', email: 'Milena@people.example' })
    const { status, body } = await register({
      username: 'rnilena',
      email: 'milena@PEOPLE.example',
    })
    expect(status).toBe(409)
    expect(fieldsOf(body)).toEqual(['username', 'email'])
    expect(body).toMatchObject([
      { code: 'usernameTaken', description: 'This username is taken, or looks like one that is.' },
      { code: 'emailTaken' },
    ])
  })

  it('refuses the words of this product, whatever digits and signs are put about them', async () => {
    for (const password of ['KnowledgeBazaar2026!', 'kb-points-1', '2026 уроци', 'Bazaar!!!']) {
      const { status, body } = await register({ username: 'wordy', password })
      expect([password, status, body]).toEqual([
        password,
        400,
        [expect.objectContaining({ field: 'password', code: 'passwordCommon' })],
      ])
    }
  })

  it('refuses a former name until it is free', async () => {
    const { body } = await register()
    const { db } = app.app.database
    const former = { username_skeleton: skeleton('Stoyan'), username_folded: 'stoyan' }
    const tomorrow = new Date(Date.now() + 86_400_000)
    await db
      .insertInto('former_usernames')
      .values({ ...former, user_id: body._id, free_at: tomorrow })
      .execute()
    expect((await register({ username: 'stoyan' })).status).toBe(409)
    app.clock.time = tomorrow
    expect((await register({ username: 'stoyan' })).status).toBe(200)
    app.clock.time = null
  })

  it.each([
    ['name', 'username', { username: 'wanted' }],
    ['address', 'email', { email: 'wanted@people.example' }],
  ])('lets exactly one of twenty have a %s', async (_, field, change) => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => register(change)))
    const refused = answers.filter((answer) => answer.status !== 200)
    expect(refused.map(({ status }) => status)).toEqual(Array(19).fill(409))
    expect(refused.flatMap(({ body }) => fieldsOf(body))).toEqual(Array(19).fill(field))
  })

  it('generates a picture for people who send none', async () => {
    const { status, body } = await register({ image: null, face: 'drawn' })
    expect([status, body.imageUrl]).toEqual([200, `/art/avatar/${body._id}.svg`])
    const picture = await register({ face: 'drawn' })
    expect(picture.body.imageUrl).toMatch(/^\/files\/pictures\//)
  })

  it('answers the session and gives the cookie', async () => {
    const { body, headers } = await register({ username: 'Мария', email: 'maria@people.example' })
    const [header = ''] = body.accessToken.split('.')
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ alg: 'HS256' })
    expect(body).toEqual({
      accessToken: expect.any(String),
      _id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      username: 'Мария',
      email: 'maria@people.example',
      kbPoints: 30,
      role: 'user',
      imageUrl: expect.stringMatching(/^\/files\/pictures\/\w+\/320\.webp$/),
    })
    expect(headers.getSetCookie().slice(0, 1)).toEqual([
      expect.stringMatching(/^kb=[\w.-]+; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/),
    ])
    expect(headers.get('cache-control')).toBe('no-store')
  })
})

describe('registration with limits', () => {
  it('refuses the 21st within an hour from one address', async () => {
    const limited = await createTestApp({ RATE_LIMITS: 'on' })
    limited.clock.time = new Date('2026-11-21T12:00:00Z')
    const attempt = () => register({ password: 'password' }, limited)
    for (let round = 0; round < 20; round += 1) expect((await attempt()).status).toBe(400)
    limited.clock.time = new Date('2026-11-21T12:50:00Z')
    const { status, headers } = await attempt()
    expect(status).toBe(429)
    expect(headers.get('retry-after')).toBe('600')
    limited.clock.time = new Date('2026-11-21T13:00:00Z')
    expect((await attempt()).status).toBe(400)
    await limited.close()
  })
})
