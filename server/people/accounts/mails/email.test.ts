import { beforeEach, describe, expect, it } from 'vitest'
import type { FormError } from '#contract/errors.ts'
import type { OwnProfile } from '#contract/profiles.ts'
import { addMailLater } from '#server/platform/mail/outbox.ts'
import { createTestApp, testPicture, type Person } from '#server/testing/app.ts'
import { formOf } from '#server/testing/http/forms.ts'
import { mailsTo, newestLink } from '#server/testing/links.ts'
import { openTestApp } from '#server/testing/setup.ts'

const DAY_MS = 24 * 60 * 60 * 1000

let ann: Person
let count = 0
let first = ''
let second = ''
let third = ''
const app = await openTestApp()
beforeEach(async () => {
  app.clock.time = null
  count += 1
  ann = await app.signUp(`ann${count}`)
  first = ann.session.email
  second = `second${count}@people.example`
  third = `third${count}@people.example`
})

const change = (email: string, as = ann, on = app) => {
  const form = formOf({ email })
  return on.call<FormError[]>('PATCH', '/identity/update', { as, form })
}
const confirm = (token: string) =>
  app.call('POST', '/identity/email/confirm', { json: { token } }).then(({ status }) => status)
const undo = (token: string) =>
  app.call('POST', '/identity/email/undo', { json: { token } }).then(({ status }) => status)
const resend = (as: Person, on = app) => on.call('POST', '/identity/email/resend', { as })
const link = (kind: 'confirm' | 'undo' | 'reset') => newestLink(app, ann, kind)
const confirmFirst = async () => confirm(await link('confirm'))
const signInAgain = async () => {
  const json = { username: ann.session.username, password: ann.password }
  const { body } = await app.call<Person['session']>('POST', '/identity/login', { json })
  ann = { ...ann, session: body }
}
const addressState = async () => {
  const { body } = await app.call<OwnProfile>('GET', `/identity/profile/${ann.session._id}`, {
    as: ann,
  })
  return [body.email, body.emailConfirmed, body.previousEmail ?? null]
}
/** Returns the address to which a reset requested for `email` is mailed. */
async function resetAddressFor(email: string): Promise<string | undefined> {
  const before = (await mailsTo(app, ann)).length
  await app.call('POST', '/identity/password/forgot', { json: { email } })
  await app.runJobs()
  return (await mailsTo(app, ann))[before]?.address
}
async function registerAt(email: string, language = 'en') {
  count += 1
  const fields = { username: `taker${count}`, email, password: 'correct horse' }
  const form = formOf({ ...fields, image: await testPicture() })
  const headers = { 'accept-language': language }
  return app.call<Person['session']>('POST', '/identity/register', { form, headers })
}
const register = async (email: string) => (await registerAt(email)).status

describe('a link that confirms an address', () => {
  it('does nothing the second time, or after 7 days', async () => {
    const token = await link('confirm')
    app.clock.time = new Date(Date.now() + 7 * DAY_MS + 1000)
    expect(await confirm(token)).toBe(400)
    app.clock.time = null
    expect([await confirm(token), await confirm(token)]).toEqual([204, 400])
    expect(await addressState()).toEqual([first, true, null])
  })
  it('does nothing for an address that the account no longer has', async () => {
    const token = await link('confirm')
    await change(second)
    expect(await confirm(token)).toBe(400)
    await change(third)
    expect(await addressState()).toEqual([third, false, first])
  })
  it('does nothing after a reset by the previous address', async () => {
    await confirmFirst()
    await change(second)
    const token = await link('confirm')
    expect(await resetAddressFor(first)).toBe(first)
    const json = { token: await link('reset'), password: 'a new secret 2' }
    await app.call('POST', '/identity/password/reset', { json })
    expect(await confirm(token)).toBe(400)
  })
  it('is mailed at registration, in the caller’s language', async () => {
    expect(await mailsTo(app, ann)).toEqual([
      { address: first, subject: 'mailConfirmSubject', locale: 'en' },
    ])
    const { body } = await registerAt(second, 'bg')
    expect(await mailsTo(app, { ...ann, session: body })).toMatchObject([{ locale: 'bg' }])
  })
  it('makes no link of a name', async () => {
    const named = await app.signUp(`win${count}.evil.com`)
    const { notice } = await app.app.database.db
      .selectFrom('mails')
      .select('notice')
      .where('user_id', '=', named.session._id)
      .executeTakeFirstOrThrow()
    expect(decodeURIComponent(JSON.stringify(notice))).toContain('.\u2060evil.\u2060com')
    expect(decodeURIComponent(JSON.stringify(notice))).not.toContain('evil.com')
  })
  it('releases held mails of its person', async () => {
    const { db } = app.app.database
    const to = { userId: ann.session._id, address: first, locale: 'en' } as const
    const text = 'Is there a second part of it?'
    const letter = { kind: 'letter', subject: 'Your lesson', text, held: true } as const
    const mail = { ...letter, replyTo: 'b@people.example' }
    const id = await addMailLater(db, to, mail, app.clock.now())
    const state = () =>
      db.selectFrom('mails').select('state').where('id', '=', id).executeTakeFirst()
    expect(await state()).toEqual({ state: 'held' })
    await confirmFirst()
    expect(await state()).toEqual({ state: 'waiting' })
  })
  it('is not mailed again once the address is confirmed', async () => {
    const early = await link('confirm')
    await resend(ann)
    expect(await confirm(early)).toBe(204)
    expect((await resend(ann)).status).toBe(204)
    expect(await mailsTo(app, ann)).toHaveLength(2)
  })
})

describe('a change of the address', () => {
  it('mails a link to the new one and an undo to the old one', async () => {
    await change(second)
    expect((await mailsTo(app, ann)).slice(1)).toMatchObject([
      { address: second, subject: 'mailConfirmSubject' },
      { address: first, subject: 'mailUndoSubject' },
    ])
    await change(second.toUpperCase())
    expect(await mailsTo(app, ann)).toHaveLength(3)
  })
  it('sends resets to the old one until the new one is confirmed', async () => {
    await change(second)
    expect(await resetAddressFor(second)).toBeUndefined()
    expect(await resetAddressFor(first)).toBe(first)
    expect(await confirm(await link('confirm'))).toBe(204)
    expect(await addressState()).toEqual([second, true, null])
    expect(await resetAddressFor(first)).toBeUndefined()
    expect(await resetAddressFor(second)).toBe(second)
  })
  it('ends resets that went to the old one when the new one is confirmed', async () => {
    await change(second)
    await resetAddressFor(first)
    const token = await link('reset')
    await confirm(await link('confirm'))
    const json = { token, password: 'a new secret 2' }
    expect((await app.call('POST', '/identity/password/reset', { json })).status).toBe(400)
  })
  it('keeps the first address over a second change', async () => {
    await confirmFirst()
    await change(second)
    const toSecond = await link('confirm')
    const earlier = await link('undo')
    await change(third)
    expect((await mailsTo(app, ann)).slice(-2)).toMatchObject([
      { address: third },
      { address: first },
    ])
    expect(await confirm(toSecond)).toBe(400)
    expect(await undo(earlier)).toBe(204)
  })
  it('is possible five times an hour, and its link can be mailed three more times', async () => {
    const strict = await createTestApp({ RATE_LIMITS: 'on' })
    const eve = await strict.signUp('eve')
    const statuses = []
    for (let turn = 0; turn < 4; turn += 1) statuses.push((await resend(eve, strict)).status)
    expect(statuses).toEqual([204, 204, 204, 429])
    for (let turn = 0; turn < 6; turn += 1)
      statuses.push((await change(`eve${turn}@people.example`, eve, strict)).status)
    expect(statuses.slice(4)).toEqual([200, 200, 200, 200, 200, 429])
    expect((await change('eve4@people.example', eve, strict)).status).toBe(200)
    await strict.close()
  })
})

describe('a link that undoes a change', () => {
  it('does nothing the second time, or after 7 days', async () => {
    await change(second)
    const token = await link('undo')
    app.clock.time = new Date(Date.now() + 7 * DAY_MS + 1000)
    expect(await undo(token)).toBe(400)
    app.clock.time = null
    expect([await undo(token), await undo(token)]).toEqual([204, 400])
  })
  it('does nothing once its owner has gone back', async () => {
    await change(second)
    const token = await link('undo')
    await change(first)
    expect(await undo(token)).toBe(400)
    expect(await addressState()).toEqual([first, false, null])
  })
  it('works for exactly one of twenty at once', async () => {
    await change(second)
    const token = await link('undo')
    const answers = await Promise.all(Array.from({ length: 20 }, () => undo(token)))
    expect(answers.filter((status) => status === 204)).toHaveLength(1)
  })
  it('restores the address and ends all sessions', async () => {
    await confirmFirst()
    await change(second)
    const toSecond = await link('confirm')
    expect(await undo(await link('undo'))).toBe(204)
    expect((await app.call('GET', '/identity/points', { as: ann })).status).toBe(401)
    await signInAgain()
    expect(await addressState()).toEqual([first, true, null])
    expect(await confirm(toSecond)).toBe(400)
    expect((await mailsTo(app, ann)).at(-1)).toMatchObject({
      address: first,
      subject: 'mailUndoneSubject',
    })
    const json = { token: await link('reset'), password: 'a new secret 2' }
    expect((await app.call('POST', '/identity/password/reset', { json })).status).toBe(204)
  })
  it('works after the thief has confirmed the new address', async () => {
    await confirmFirst()
    await change(second)
    const token = await link('undo')
    await confirm(await link('confirm'))
    await change(third)
    // The thief's own undo link must not outlive it.
    const thiefs = await link('undo')
    expect(await undo(token)).toBe(204)
    expect(await undo(thiefs)).toBe(400)
    await signInAgain()
    expect(await addressState()).toEqual([first, true, null])
  })
  it('is not ended by an undo of a later change', async () => {
    await confirmFirst()
    await change(second)
    const owners = await link('undo')
    await confirm(await link('confirm'))
    await change(third)
    expect(await undo(await link('undo'))).toBe(204)
    expect(await undo(owners)).toBe(204)
    await signInAgain()
    expect(await addressState()).toEqual([first, true, null])
  })
  it('reserves its address while it works', async () => {
    await confirmFirst()
    await change(second)
    await confirm(await link('confirm'))
    expect(await register(first.toUpperCase())).toBe(409)
    const other = await app.signUp(`other${count}`)
    expect((await change(first, other)).status).toBe(409)
    app.clock.time = new Date(Date.now() + 7 * DAY_MS + 1000)
    expect(await register(first)).toBe(200)
  })
  it('gives an unconfirmed address no claim against a confirmed one', async () => {
    await change(second)
    const token = await link('undo')
    await confirm(await link('confirm'))
    expect(await undo(token)).toBe(400)
    expect(await register(first)).toBe(200)
  })
})
