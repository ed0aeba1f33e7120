import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import type { AnswerOf } from '#contract/endpoint.ts'
import type { mail } from '#contract/mail.ts'
import { message } from '#contract/message.ts'
import { translate } from '#server/kernel/text/messages.ts'
import { addNoticeLater } from '#server/platform/mail/outbox.ts'
import { writeLetter } from '#server/testing/mail/mails.ts'
import { setRole } from '#server/people/accounts/store.ts'
import { closeAtEnd, openTestApp } from '#server/testing/setup.ts'
import { openSmtp } from '#server/testing/mail/smtp.ts'

type Outbox = AnswerOf<typeof mail.outbox>

let refuses = true
/** Refuses temporarily instead of permanently. */
let busy = false

const smtp = closeAtEnd(
  await openSmtp({
    onRcptTo: (_address, _session, done) =>
      done(refuses ? Object.assign(new Error('no'), { responseCode: busy ? 451 : 550 }) : null),
  }),
)
const app = await openTestApp({ SMTP_URL: smtp.url })
const ann = await app.signUp('ann')
const boss = await app.signUp('boss')
await setRole(app.app.database.db, 'boss', 'administrator')
await app.runJobs()
beforeEach(async () => {
  refuses = true
  busy = false
  smtp.mails.length = 0
  await app.app.database.db.deleteFrom('mails').execute()
})

const write = (change: { held?: boolean; address?: string } = {}) =>
  writeLetter(app, { userId: ann.session._id, text: 'For her eyes alone', ...change })

async function outbox(query = ''): Promise<Outbox> {
  const { status, body } = await app.call<Outbox>('GET', `/admin/mails${query}`, { as: boss })
  expect(status).toBe(200)
  return body
}

const act = (what: 'retry' | 'drop', ids: readonly number[]) =>
  app.call('POST', `/admin/mails/${what}`, { as: boss, json: { ids } })

/** Counts jobs that are to send a mail. */
async function countJobs(): Promise<number> {
  const { rows } = await sql`
    select from graphile_worker.jobs where task_identifier = 'sendMail'`.execute(
    app.app.database.db,
  )
  return rows.length
}

const stateOf = async (id: number) =>
  app.app.database.db
    .selectFrom('mails')
    .select(['state', 'text', 'attempts'])
    .where('id', '=', id)
    .executeTakeFirst()

test('each state is shown, without texts', async () => {
  const failed = await write()
  await app.runJobs()
  const kept = await write({ address: 'ann@somewhere.example' })
  await app.runJobs()
  const held = await write({ held: true })
  const waiting = await write()
  const { mails, counts, sends } = await outbox()
  expect(mails.map(({ id, state }) => [id, state])).toEqual([
    [waiting, 'waiting'],
    [held, 'held'],
    [kept, 'kept'],
    [failed, 'failed'],
  ])
  expect(counts).toEqual({ held: 1, waiting: 1, kept: 1, failed: 1 })
  expect(sends).toBe(true)
  expect(mails.at(-1)).toMatchObject({
    kind: 'letter',
    address: 'ann@mail.test',
    subject: 'About knots',
    attempts: 1,
    sent: null,
  })
  expect(mails.at(-1)?.lastError).toContain('550')
  expect(JSON.stringify(mails)).not.toContain('her eyes')
  expect((await outbox('?state=held')).mails.map(({ id }) => id)).toEqual([held])
  expect((await outbox('?page=2')).mails).toEqual([])
})

test('a notice’s subject is in the reader’s language', async () => {
  await addNoticeLater(
    app.app.database.db,
    { userId: ann.session._id, address: 'ann@mail.test', locale: 'en' },
    { subject: message('resetTitle'), lines: [] },
    app.clock.now(),
  )
  const { body } = await app.call<Outbox>('GET', '/admin/mails', {
    as: boss,
    headers: { 'accept-language': 'bg' },
  })
  expect(body.mails[0]?.subject).toBe(translate('bg', 'resetTitle'))
})

test('a failed mail that is retried is sent', async () => {
  const id = await write()
  await app.runJobs()
  expect(await stateOf(id)).toMatchObject({ state: 'failed' })
  refuses = false
  expect((await act('retry', [id])).status).toBe(204)
  expect(await stateOf(id)).toMatchObject({ state: 'waiting', attempts: 0 })
  await app.runJobs()
  expect(await stateOf(id)).toEqual({ state: 'sent', text: null, attempts: 1 })
  expect(smtp.mails).toHaveLength(1)
  // A second retry comes too late.
  await act('retry', [id])
  await app.runJobs()
  expect(smtp.mails).toHaveLength(1)
})

test('a dropped mail loses its text', async () => {
  const id = await write()
  await app.runJobs()
  expect((await act('drop', [id])).status).toBe(204)
  expect(await stateOf(id)).toMatchObject({ state: 'dropped', text: null })
  expect((await outbox()).mails).toEqual([])
  refuses = false
  await act('retry', [id])
  await app.runJobs()
  expect(smtp.mails).toEqual([])
})

test('a mail that waits for its next attempt is sent now, or dropped', async () => {
  busy = true
  const [goes, ends] = [await write(), await write()]
  await app.runJobs()
  expect(await stateOf(goes)).toMatchObject({ state: 'waiting', attempts: 1 })
  expect((await act('drop', [ends])).status).toBe(204)
  expect(await stateOf(ends)).toEqual({ state: 'dropped', text: null, attempts: 1 })
  busy = false
  refuses = false
  // Their next attempts are due seconds later.
  await app.runJobs()
  expect(smtp.mails).toEqual([])
  expect((await act('retry', [goes, ends])).status).toBe(204)
  await app.runJobs()
  expect(await stateOf(goes)).toEqual({ state: 'sent', text: null, attempts: 1 })
  expect(smtp.mails).toHaveLength(1)
  expect(await countJobs()).toBe(0)
})

test('a mail being sent is not sent twice, and is dropped afterwards', async () => {
  const { db } = app.app.database
  const id = await write()
  await sql`update mails set claimed_until = now() + interval '1 minute' where id = ${id}`.execute(
    db,
  )
  await act('retry', [id])
  expect(await stateOf(id)).toMatchObject({ state: 'waiting', text: 'For her eyes alone' })
  const dropping = act('drop', [id])
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(await stateOf(id)).toMatchObject({ state: 'waiting', text: 'For her eyes alone' })
  await sql`update mails set claimed_until = null where id = ${id}`.execute(db)
  expect((await dropping).status).toBe(204)
  expect(await stateOf(id)).toMatchObject({ state: 'dropped', text: null })
})

test('a job that fails while its mail is dropped leaves nothing in the queue', async () => {
  const { db } = app.app.database
  const id = await write()
  const hold = (locked: boolean) =>
    sql`update graphile_worker._private_jobs
      set locked_at = ${locked ? sql`now()` : null}, locked_by = ${locked ? 'worker' : null} where key = ${`mail ${id}`}`.execute(
      db,
    )
  await hold(true)
  await act('drop', [id])
  expect(await countJobs()).toBe(1)
  await hold(false)
  await app.runJobs()
  expect(await countJobs()).toBe(0)
})

test('a retried mail is not sent before its time', async () => {
  const { db } = app.app.database
  const id = await write()
  await sql`update mails set send_after = now() + interval '1 hour' where id = ${id}`.execute(db)
  refuses = false
  await act('retry', [id])
  await app.runJobs()
  expect(smtp.mails).toEqual([])
  expect(await stateOf(id)).toMatchObject({ state: 'waiting' })
  await act('drop', [id])
  expect(await countJobs()).toBe(0)
})

test('held and unmailable mails are neither dropped nor retried', async () => {
  const held = await write({ held: true })
  const kept = await write({ address: 'ann@somewhere.example' })
  await app.runJobs()
  await act('drop', [held, kept, 4711])
  await act('retry', [held, kept, 4711])
  expect(await stateOf(held)).toMatchObject({ state: 'held', text: 'For her eyes alone' })
  expect(await stateOf(kept)).toMatchObject({ state: 'kept', text: 'For her eyes alone' })
})

test('the log says who did it', async () => {
  const ids = [await write(), await write()]
  await app.runJobs()
  await act('retry', ids)
  await app.runJobs()
  await act('drop', [ids[0] ?? 0])
  const { rows } = await app.app.database.pool.query<{ action: string; subject_id: string }>(
    `select action, subject_id, subject, actor_id, person_id from moderation_log
     where subject_id = any($1) order by id`,
    [ids.map(String)],
  )
  const [first, second] = ids.map(String)
  const who = { actor_id: boss.session._id, person_id: ann.session._id, subject: 'About knots' }
  expect(rows).toHaveLength(3)
  expect(new Set(rows.slice(0, 2).map(({ subject_id }) => subject_id))).toEqual(
    new Set([first, second]),
  )
  expect(rows[2]).toEqual({ action: 'mailsDropped', subject_id: first, ...who })
})
