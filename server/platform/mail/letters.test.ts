/** Tests letters that wait for the confirmation of an address, and where they go then. */
import { beforeEach, expect, test } from 'vitest'
import { releaseLetters } from '#server/platform/mail/letters.ts'
import { writeLetter } from '#server/testing/mail/mails.ts'
import { openTestApp } from '#server/testing/setup.ts'

const db = () => app.app.database.db
const NOON = new Date(Date.UTC(2026, 10, 21, 12))
const LATER = new Date(Date.UTC(2027, 0, 5, 8))

const app = await openTestApp()
const ann = await app.signUp('ann')
beforeEach(async () => {
  await db().deleteFrom('mails').execute()
})

const write = (change: { held?: boolean; sendAfter?: Date } = {}) =>
  writeLetter(app, { userId: ann.session._id, address: 'old@mail.test', now: NOON, ...change })
const release = (now: Date) =>
  db()
    .transaction()
    .execute((tx) => releaseLetters(tx, ann.session._id, 'new@mail.test', now))
const letters = () =>
  db()
    .selectFrom('mails')
    .select(['address', 'state', 'send_after'])
    .where('kind', '=', 'letter')
    .orderBy('id')
    .execute()

test('letters held for weeks are sent twenty a day', async () => {
  await write({ sendAfter: LATER })
  for (let n = 0; n < 45; n += 1) await write({ held: true })
  await release(LATER)
  const days = (await letters()).map(({ send_after: at }) => at.toISOString().slice(0, 10))
  expect(Object.groupBy(days, (day) => day)).toEqual({
    '2027-01-05': Array(20).fill('2027-01-05'),
    '2027-01-06': Array(20).fill('2027-01-06'),
    '2027-01-07': Array(6).fill('2027-01-07'),
  })
  expect((await letters())[1]?.send_after).toEqual(LATER)
})

test('waiting letters go to the new address', async () => {
  await write({ sendAfter: LATER })
  const failed = await write()
  await db().updateTable('mails').set({ state: 'failed' }).where('id', '=', failed).execute()
  const sent = await write()
  await db().updateTable('mails').set({ state: 'sent' }).where('id', '=', sent).execute()
  await release(NOON)
  expect((await letters()).map(({ address, state }) => [address, state])).toEqual([
    ['new@mail.test', 'waiting'],
    ['new@mail.test', 'failed'],
    ['old@mail.test', 'sent'],
  ])
})
