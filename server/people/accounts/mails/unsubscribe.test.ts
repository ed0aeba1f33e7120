import { expect, test } from 'vitest'
import { createUnsubscribeTokens } from '#server/people/accounts/mails/unsubscribe.ts'
import { TEST_SECRET } from '#server/testing/app.ts'
import { formOf } from '#server/testing/http/forms.ts'
import { setUser } from '#server/testing/rows.ts'
import { openTestApp } from '#server/testing/setup.ts'

const app = await openTestApp()
const ann = await app.signUp('ann')
const token = createUnsubscribeTokens([TEST_SECRET]).tokenOf(ann.session._id)

const setNotices = (notices: boolean) => setUser(app, ann, { notices })
async function getsNotices(): Promise<boolean> {
  const { notices } = await app.app.database.db
    .selectFrom('users')
    .select('notices')
    .where('id', '=', ann.session._id)
    .executeTakeFirstOrThrow()
  return notices
}

const click = (given: string, body = 'List-Unsubscribe=One-Click') =>
  fetch(`${app.url}/email/unsubscribe?token=${encodeURIComponent(given)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
    redirect: 'manual',
  })

const stranger = '018f0000-0000-7000-8000-000000000001'
const ofStranger = createUnsubscribeTokens([TEST_SECRET]).tokenOf(stranger)
const foreign = createUnsubscribeTokens(['another secret of many characters'])

test.each([
  ['nothing', ''],
  ['another person’s id', `${ann.session._id.replaceAll('-', '')}.${ofStranger.slice(33)}`],
  ['a changed letter', `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`],
  ['another secret', foreign.tokenOf(ann.session._id)],
  ['a long text', 'x'.repeat(5000)],
])('%s ends no notices', async (_, given) => {
  const { status } = await app.call('POST', '/email/unsubscribe', { json: { token: given } })
  expect([status, (await click(given)).status]).toEqual([400, 400])
  expect(await getsNotices()).toBe(true)
})

test('opening the link changes nothing', async () => {
  await fetch(`${app.url}/email/unsubscribe?token=${token}`)
  await fetch(`${app.url}/api/email/unsubscribe?token=${token}`)
  await fetch(`${app.url}/email/unsubscribe?token=${token}`, { method: 'HEAD' })
  expect(await getsNotices()).toBe(true)
})

test('a token ends the notices without signing in', async () => {
  expect((await app.call('POST', '/email/unsubscribe', { json: { token } })).status).toBe(204)
  expect(await getsNotices()).toBe(false)
  expect((await app.call('POST', '/email/unsubscribe', { json: { token } })).status).toBe(204)
})

test('a mail program ends them with one click', async () => {
  await setNotices(true)
  expect((await click(token)).status).toBe(204)
  expect(await getsNotices()).toBe(false)
  await setNotices(true)
  const form = formOf({ 'List-Unsubscribe': 'One-Click' })
  const address = `${app.url}/email/unsubscribe?token=${token}`
  expect((await fetch(address, { method: 'POST', body: form })).status).toBe(204)
  expect(await getsNotices()).toBe(false)
})

test("the page's button needs no script", async () => {
  await setNotices(true)
  const answer = await click(token, '')
  expect([answer.status, answer.headers.get('location')]).toEqual([
    303,
    '/email/unsubscribe?done=1',
  ])
  expect(await getsNotices()).toBe(false)
  expect((await click('forged', '')).headers.get('location')).toBe('/email/unsubscribe')
})

test('links still work after a change of keys', () => {
  const later = createUnsubscribeTokens(['the new secret of many characters', TEST_SECRET])
  expect(later.read(token)).toEqual({ userId: ann.session._id, kind: null })
  expect(later.tokenOf(ann.session._id)).not.toBe(token)
})

test('a token of one kind ends only that kind, by mail', async () => {
  await setNotices(true)
  const tokens = createUnsubscribeTokens([TEST_SECRET])
  const ofSold = tokens.tokenOf(ann.session._id, 'sold')
  expect((await click(ofSold.replace('.sold.', '.liked.'))).status).toBe(400)
  expect((await click(ofSold)).status).toBe(204)
  expect(await getsNotices()).toBe(true)
  const { body } = await app.call<{ choices: { kind: string; shown: boolean; mail: string }[] }>(
    'GET',
    '/notice/settings',
    { as: ann },
  )
  expect(body.choices.find(({ kind }) => kind === 'sold')).toEqual({
    kind: 'sold',
    shown: true,
    mail: 'none',
  })
  expect(body.choices.find(({ kind }) => kind === 'message')?.mail).toBe('digest')
})
