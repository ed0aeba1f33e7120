import { domainToASCII } from 'node:url'
import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import type { Session } from '#contract/accounts.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import type { Invitation } from '#contract/invitations.ts'
import type { people as calls } from '#contract/people.ts'
import type { SettingName } from '#contract/settings.ts'
import type { WaysIn } from '#contract/ways-in.ts'
import { clearInvitations } from '#server/people/accounts/door/store.ts'
import { done, statusesOf } from '#server/testing/http/answers.ts'
import { formOf } from '#server/testing/http/forms.ts'
import { setUser } from '#server/testing/rows.ts'
import { openTestApp } from '#server/testing/setup.ts'

type Refused = readonly { readonly code: string }[]

const app = await openTestApp()
const { db } = app.app.database
const ann = await app.signUp('ann')
const bob = await app.signUp('bob')
await setUser(app, ann, { role: 'administrator' })

/** Stores these settings alone. */
async function decide(texts: Partial<Record<SettingName, string>>): Promise<void> {
  const stored = JSON.stringify(texts)
  await sql`insert into site_settings (version, texts) values (1, ${stored})
    on conflict (one) do update set version = site_settings.version + 1, texts = excluded.texts`.execute(
    db,
  )
  await app.app.core.settings.reload()
}

const ASCII = domainToASCII('школа.бг')

let count = 0
const register = (change: Record<string, string> = {}) => {
  count += 1
  const form = formOf({
    username: `person${count}`,
    email: `person${count}@people.example`,
    password: 'correct horse',
    face: 'drawn',
    ...change,
  })
  return app.call<Session & Refused>('POST', '/identity/register', { form })
}
const codeOf = async (change: Record<string, string> = {}) => {
  const { status, body } = await register(change)
  return status === 200 ? 'in' : `${status} ${body[0]?.code}`
}
async function invite(uses = 1, days = 7): Promise<string> {
  const { link } = await done<{ link: string }>(app, ann, 'POST /admin/invitation/create', {
    uses,
    days,
  })
  expect(link).toMatch(new RegExp(`^${app.url}/register\\?invitation=[\\w-]{43}$`))
  return new URL(link).searchParams.get('invitation') ?? ''
}
const list = () => done<Invitation[]>(app, ann, 'GET /admin/invitation/all')
const waysOf = async (invitation: string) =>
  (await app.call<WaysIn>('GET', `/identity/ways-in?invitation=${invitation}`)).body

afterEach(() => {
  app.clock.time = null
})

describe('a closed door', () => {
  test('lets nobody register, and those who have an account sign in', async () => {
    const invitation = await invite()
    await decide({ REGISTRATION: 'closed', REGISTRATION_DOMAINS: 'people.example' })
    expect(await codeOf()).toBe('403 registrationClosed')
    expect(await codeOf({ invitation })).toBe('403 registrationClosed')
    const json = { username: 'bob', password: bob.password }
    expect((await app.call('POST', '/identity/login', { json })).status).toBe(200)
    const headers = { cookie: bob.cookie, origin: app.url }
    expect((await app.call('POST', '/identity/refresh', { headers })).status).toBe(200)
  })
})

describe('a door for some domains', () => {
  test.each([
    ['school.example', 'ann@SCHOOL.Example', 'in'],
    ['other.example, Школа.бг', 'ann@школа.бг', 'in'],
    [ASCII, 'ann@школа.бг', 'in'],
    ['школа.бг', `ann@${ASCII}`, 'in'],
    ['school.example', 'ann@evil-school.example', '403 invitationNeeded'],
    ['school.example', 'ann@sub.school.example', '403 invitationNeeded'],
    ['school.example', 'ann@school.example.org', '403 invitationNeeded'],
    ['', 'ann@school.example', '403 invitationNeeded'],
  ])('%s: %s is answered %s', async (domains, email, expected) => {
    await decide({ REGISTRATION: 'domain', REGISTRATION_DOMAINS: domains })
    const own = email.replace('ann', `x${(count += 1)}`)
    expect(await codeOf({ email: own })).toBe(expected)
  })

  test('lets others in with an invitation', async () => {
    await decide({ REGISTRATION: 'domain', REGISTRATION_DOMAINS: 'school.example' })
    expect(await codeOf({ invitation: await invite() })).toBe('in')
  })
})

describe('a door for the invited', () => {
  test('refuses who has no invitation, or one that is unknown, used up, expired or withdrawn', async () => {
    await decide({ REGISTRATION: 'invitation' })
    const [used, expired, valid] = [await invite(), await invite(1, 1), await invite()]
    const withdrawn = await invite()
    expect(await codeOf()).toBe('403 invitationNeeded')
    expect(await codeOf({ invitation: used })).toBe('in')
    const path = `/admin/invitation/${(await list())[0]?.id ?? 0}`
    expect((await app.call('DELETE', path, { as: ann })).status).toBe(204)
    expect((await app.call('DELETE', path, { as: ann })).status).toBe(404)
    app.clock.time = new Date(Date.now() + 24 * 60 * 60 * 1000 + 1000)
    for (const [invitation, state] of [
      [used, 'used'],
      [expired, 'expired'],
      [withdrawn, 'withdrawn'],
      ['x'.repeat(43), 'unknown'],
    ] as const) {
      expect(await waysOf(invitation)).toMatchObject({ door: 'invitation', invitation: state })
      expect(await codeOf({ invitation })).toBe('403 invitationNeeded')
    }
    expect((await waysOf(valid)).invitation).toBe('valid')
  })

  test('of 20 people at once for the last use one comes in, and a refused form uses nothing', async () => {
    await decide({ REGISTRATION: 'invitation', WELCOME_POINTS: '7' })
    const invitation = await invite(2)
    expect((await register({ invitation, username: 'bob' })).status).toBe(409)
    expect(await codeOf({ invitation })).toBe('in')
    const answers = await Promise.all(Array.from({ length: 20 }, () => register({ invitation })))
    expect(statusesOf(answers)).toEqual([200, ...Array<number>(19).fill(403)])
    const [newest] = await list()
    expect(newest).toMatchObject({ used: 2, uses: 2, state: 'used', inviter: { userName: 'ann' } })
    const { rows } = await sql<{ people: number; points: number }>`
      select count(*)::int as people, sum(e.amount)::int as points from invited_people i
      left join point_entries e on e.user_id = i.user_id where i.invitation_id = ${newest?.id}`.execute(
      db,
    )
    expect(rows).toEqual([{ people: 2, points: 14 }])
  })
})

test('administrators see who invited whom, and the log has each invitation', async () => {
  await decide({ REGISTRATION: 'invitation' })
  const invitation = await invite(3)
  const { body } = await register({ invitation, username: 'carol' })
  expect((await list())[0]).toMatchObject({
    inviter: { id: ann.session._id, userName: 'ann' },
    came: [{ id: body._id, userName: 'carol' }],
    used: 1,
    uses: 3,
  })
  const log = await app.call('GET', '/admin/log', { as: ann })
  expect(JSON.stringify(log.body)).toContain('invitationCreated')
  const { rows } = await sql`select to_jsonb(i)::text as row from invitations i`.execute(db)
  expect(JSON.stringify(rows)).not.toContain(invitation)
})

test('an ended invitation goes after 90 days, but not who invited whom', async () => {
  await decide({ REGISTRATION: 'invitation' })
  const invited = async () => {
    const { people, inviter } = await done<AnswerOf<typeof calls.list>>(
      app,
      ann,
      `GET /admin/people?invitedBy=${ann.session._id}`,
    )
    expect(inviter?.userName).toBe('ann')
    return people.map(({ userName }) => userName)
  }
  const invitation = await invite(2, 7)
  await register({ invitation, username: 'david' })
  const before = await invited()
  expect(before).toContain('david')
  const [newest] = await list()
  const DAY_MS = 24 * 60 * 60 * 1000
  for (const [days, isListed] of [
    [96, true],
    [98, false],
  ] as const) {
    await clearInvitations(db, new Date(Date.now() + days * DAY_MS))
    expect((await list()).some(({ id }) => id === newest?.id)).toBe(isListed)
  }
  expect(await invited()).toEqual(before)
  expect(await done(app, ann, `GET /admin/people?invitedBy=${bob.session._id}`)).toMatchObject({
    people: [],
    total: 0,
  })
})

test('others invite one person each, where everybody may', async () => {
  await decide({ REGISTRATION: 'invitation' })
  const make = () => app.call<{ link: string }>('POST', '/invitation/create', { as: bob, json: {} })
  expect((await make()).status).toBe(403)
  await decide({ REGISTRATION: 'invitation', INVITATIONS_BY_ALL: '1' })
  const { body } = await make()
  const invitation = new URL(body.link).searchParams.get('invitation') ?? ''
  expect([await codeOf({ invitation }), await codeOf({ invitation })]).toEqual([
    'in',
    '403 invitationNeeded',
  ])
  expect((await list())[0]).toMatchObject({ inviter: { userName: 'bob' }, uses: 1, used: 1 })
})

test('an open door needs no invitation, and remembers one', async () => {
  await decide({})
  const invitation = await invite()
  expect(await codeOf({ invitation: 'x'.repeat(43) })).toBe('in')
  expect(await codeOf({ invitation })).toBe('in')
  expect((await list())[0]).toMatchObject({ used: 1 })
})
