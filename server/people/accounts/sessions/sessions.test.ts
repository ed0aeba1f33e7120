import { beforeEach, describe, expect, it } from 'vitest'
import type { Session } from '#contract/accounts.ts'
import { createTokens } from '#server/people/accounts/sessions/tokens.ts'
import { openSessions, viewerOfCookie } from '#server/people/accounts/sessions/viewer.ts'
import { TEST_SECRET, type Person } from '#server/testing/app.ts'
import { setUser } from '#server/testing/rows.ts'
import { openTestApp } from '#server/testing/setup.ts'

let person: Person
let count = 0
const start = new Date('2026-11-21T12:00:00Z').getTime()
const at = (seconds: number) => {
  app.clock.time = new Date(start + seconds * 1000)
}
const app = await openTestApp()
beforeEach(async () => {
  at(0)
  count += 1
  person = await app.signUp(`person${count}`)
})

const cookieOf = (headers: Headers) => headers.getSetCookie()[0]?.split(';')[0] ?? ''
const callWithCookie = (path: string, cookie: string, origin: string | null = app.url) =>
  app.call<Session>('POST', path, {
    headers: { cookie, ...(origin !== null && { origin }) },
  })
const refresh = (cookie: string, origin?: string | null) =>
  callWithCookie('/identity/refresh', cookie, origin)
const showPoints = (accessToken: string) =>
  app.call('GET', '/identity/points', { headers: { authorization: `Bearer ${accessToken}` } })
const signIn = async () => {
  const json = { username: person.session.username, password: person.password }
  const { status, headers, body } = await app.call<Session>('POST', '/identity/login', { json })
  return { status, cookie: cookieOf(headers), accessToken: body.accessToken }
}

describe('renewing a session', () => {
  it.each([
    ['no Origin', null],
    ['a foreign Origin', 'https://evil.example'],
    ['an opaque Origin', 'null'],
  ])('is refused with %s', async (_, origin) => {
    const { status } = await refresh(person.cookie, origin)
    expect(status).toBe(403)
    expect((await refresh(person.cookie)).status).toBe(200)
  })

  it('is refused without a cookie, and with a forged one', async () => {
    expect((await refresh('lang=bg')).status).toBe(401)
    expect((await refresh('kb=AAAAAAAAAAAAAAAAAAAAAA.1.' + 'A'.repeat(43))).status).toBe(401)
  })

  it('is refused with only the bearer token', async () => {
    const headers = { origin: app.url }
    expect((await app.call('POST', '/identity/refresh', { as: person, headers })).status).toBe(401)
  })

  it('gives a new cookie and an access token', async () => {
    const { status, headers, body } = await refresh(person.cookie)
    expect(status).toBe(200)
    expect(cookieOf(headers)).not.toBe(person.cookie)
    expect(body).toEqual({ ...person.session, accessToken: expect.any(String) })
    expect((await showPoints(body.accessToken)).status).toBe(200)
  })

  it('gives concurrent renewals one successor', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(person.cookie)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(new Set(answers.map(({ headers }) => cookieOf(headers))).size).toBe(1)
  })

  it('repeats a lost answer within 30 seconds, and ends the family afterwards', async () => {
    const first = await refresh(person.cookie)
    at(29)
    const again = await refresh(person.cookie)
    expect([again.status, cookieOf(again.headers)]).toEqual([200, cookieOf(first.headers)])
    at(30)
    expect((await refresh(person.cookie)).status).toBe(401)
    expect((await refresh(cookieOf(first.headers))).status).toBe(401)
    expect((await showPoints(first.body.accessToken)).status).toBe(401)
  })

  it('ends the family when an older token is used', async () => {
    const second = await refresh(person.cookie)
    const third = await refresh(cookieOf(second.headers))
    expect((await refresh(person.cookie)).status).toBe(401)
    expect((await refresh(cookieOf(third.headers))).status).toBe(401)
  })

  it('slides for 30 days from each use', async () => {
    const day = 24 * 60 * 60
    at(29 * day)
    const { status, headers } = await refresh(person.cookie)
    expect(status).toBe(200)
    at(58 * day)
    const last = await refresh(cookieOf(headers))
    expect(last.status).toBe(200)
    at(88 * day)
    expect((await refresh(cookieOf(last.headers))).status).toBe(401)
  })

  it('ends a year after its sign-in, however often it is used', async () => {
    const day = 24 * 60 * 60
    let cookie = person.cookie
    for (let days = 20; days <= 360; days += 20) {
      at(days * day)
      const { status, headers } = await refresh(cookie)
      expect([days, status]).toEqual([days, 200])
      cookie = cookieOf(headers)
    }
    at(365 * day - 1)
    const last = await refresh(cookie)
    expect(last.status).toBe(200)
    at(365 * day)
    expect((await refresh(cookieOf(last.headers))).status).toBe(401)
  })
})

describe('signing in again', () => {
  const signInWith = (cookie: string, password = person.password) => {
    const json = { username: person.session.username, password }
    return app.call<Session>('POST', '/identity/login', { json, headers: { cookie } })
  }

  it('leaves the previous session alone when it is refused, or when the cookie is forged', async () => {
    expect((await signInWith(person.cookie, 'a wrong one')).status).toBe(401)
    expect((await signInWith(`${person.cookie.slice(0, -2)}xx`)).status).toBe(200)
    expect((await refresh(person.cookie)).status).toBe(200)
  })

  it('ends the session that this browser had before, and no other', async () => {
    const other = await signIn()
    const { status, headers } = await signInWith(person.cookie)
    expect(status).toBe(200)
    expect((await showPoints(person.session.accessToken)).status).toBe(401)
    expect((await refresh(person.cookie)).status).toBe(401)
    expect((await refresh(other.cookie)).status).toBe(200)
    expect((await refresh(cookieOf(headers))).status).toBe(200)
  })
})

describe('ending sessions', () => {
  it('is refused for a foreign page', async () => {
    const answer = await callWithCookie('/identity/logout', person.cookie, 'https://evil.example')
    expect(answer.status).toBe(403)
    expect((await refresh(person.cookie)).status).toBe(200)
  })

  it('ends access and renewal at once', async () => {
    const { status, headers } = await callWithCookie('/identity/logout', person.cookie)
    expect(status).toBe(204)
    expect(headers.getSetCookie()).toEqual([expect.stringMatching(/^kb=; .*Max-Age=0/)])
    const { status: shown, headers: answered } = await showPoints(person.session.accessToken)
    expect(shown).toBe(401)
    expect(answered.get('x-session')).toBe('expired')
    expect((await refresh(person.cookie)).status).toBe(401)
  })

  it('leaves only the caller signed in', async () => {
    const other = await signIn()
    const stranger = await app.signUp(`stranger${count}`)
    expect((await app.call('POST', '/identity/sessions/revoke', { as: person })).status).toBe(204)
    expect((await showPoints(other.accessToken)).status).toBe(401)
    expect((await refresh(other.cookie)).status).toBe(401)
    expect((await refresh(person.cookie)).status).toBe(200)
    expect((await refresh(stranger.cookie)).status).toBe(200)
  })
})

it('identifies concurrent callers correctly, and signed-out ones as nobody', async () => {
  const people: Person[] = []
  for (const name of ['one', 'two', 'three', 'four']) people.push(await app.signUp(`${name}atonce`))
  const [gone] = people
  await callWithCookie('/identity/logout', gone?.cookie ?? '')
  const asked = Array.from({ length: 6 }, () => people).flat()
  const answers = await Promise.all(
    asked.map((as) =>
      app.call<{ username: string }>('GET', `/identity/profile/${as.session._id}`, { as }),
    ),
  )
  expect(answers.map(({ status, body }) => (status === 200 ? 'kbPoints' in body : status))).toEqual(
    asked.map((as) => (as === gone ? 401 : true)),
  )
})

describe('the cookie of a page', () => {
  const viewerOf = (cookie: string) => {
    const { db } = app.app.database
    const { clock } = app
    const tokens = createTokens({ secrets: [TEST_SECRET], accessMinutes: 15, clock })
    return viewerOfCookie(
      {
        sessions: openSessions({ db, clock }),
        tokens,
        clock,
        config: { SECOND_FACTOR: undefined, ADMIN_SECOND_FACTOR: '0' },
      },
      cookie.slice('kb='.length),
    )
  }

  it('reveals nothing when forged or ended', async () => {
    expect(await viewerOf('kb=nonsense')).toBeNull()
    await callWithCookie('/identity/logout', person.cookie)
    expect(await viewerOf(person.cookie)).toBeNull()
  })

  it('identifies the visitor without using up the token', async () => {
    const { _id, username } = person.session
    const viewer = { id: _id, username, role: 'user', suspended: false }
    expect(await viewerOf(person.cookie)).toMatchObject(viewer)
    const successor = await refresh(person.cookie)
    expect(await viewerOf(person.cookie)).toMatchObject(viewer)
    at(30)
    expect(await viewerOf(person.cookie)).toBeNull()
    expect(await viewerOf(cookieOf(successor.headers))).toMatchObject(viewer)
  })

  it('reveals nothing about an erased person', async () => {
    await setUser(app, person, { erased_at: new Date(start) })
    expect(await viewerOf(person.cookie)).toBeNull()
    expect((await showPoints(person.session.accessToken)).status).toBe(401)
    expect((await refresh(person.cookie)).status).toBe(401)
    expect((await signIn()).status).toBe(401)
  })
})

describe('changing the password', () => {
  const change = (json: Record<string, string>) =>
    app.call<{ errors: Record<string, string[]> }>('POST', '/identity/password/change', {
      as: person,
      json,
    })

  it('is refused with a wrong old one', async () => {
    const { status, body } = await change({ password: 'not it', newPassword: 'a better one' })
    expect([status, Object.keys(body.errors)]).toEqual([400, ['password']])
    expect((await signIn()).status).toBe(200)
  })

  it('ends all other sessions', async () => {
    const json = { password: person.password, newPassword: 'a better one' }
    const other = await signIn()
    expect((await change(json)).status).toBe(204)
    expect((await showPoints(other.accessToken)).status).toBe(401)
    expect((await showPoints(person.session.accessToken)).status).toBe(200)
    expect((await signIn()).status).toBe(401)
    person = { ...person, password: 'a better one' }
    expect((await signIn()).status).toBe(200)
  })
})
