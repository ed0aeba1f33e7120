import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { message } from '#contract/message.ts'
import { translate } from '#server/kernel/text/messages.ts'
import { addJobLater } from '#server/platform/jobs/queue.ts'
import { QUEUE_WAITING_MAILS } from '#server/platform/mail/waiting.ts'
import {
  addNoticeLater,
  SEND_MAIL,
  type Notice,
  type WrittenMail,
} from '#server/platform/mail/outbox.ts'
import { isNeverMailed } from '#server/platform/mail/send.ts'
import { queueWaitingMails } from '#server/platform/mail/waiting.ts'
import { createTestApp } from '#server/testing/app.ts'
import { createWorker } from '#server/testing/mail/attempts.ts'
import { LETTER, readMailRow, writeLetter } from '#server/testing/mail/mails.ts'
import { setUser } from '#server/testing/rows.ts'
import { openSmtp, readMail } from '#server/testing/mail/smtp.ts'
import { closeAtEnd, openTestApp } from '#server/testing/setup.ts'

const smtp = closeAtEnd(await openSmtp())
const app = await openTestApp({ SMTP_URL: smtp.url, MAIL_FROM: 'hello@bazaar.test' })
const ann = await app.signUp('ann')
await app.runJobs()
beforeEach(() => {
  smtp.mails.length = 0
})

const toAnn = (locale: 'en' | 'bg' = 'en') =>
  ({ userId: ann.session._id, address: 'ann@mail.test', locale }) as const

const write = (change: Partial<WrittenMail> = {}, address = 'ann@mail.test') =>
  writeLetter(app, { userId: ann.session._id, address, ...change })

const notify = (notice: Partial<Notice> = {}, locale: 'en' | 'bg' = 'en') =>
  addNoticeLater(
    app.app.database.db,
    toAnn(locale),
    { subject: message('confirmTitle'), lines: [message('unsubscribeWhat')], ...notice },
    new Date(),
  )

const rowOf = (id: number) => readMailRow(app, id)

async function sent() {
  await app.runJobs()
  return smtp.mails.map(({ to, raw }) => ({ to, raw, ...readMail(raw) }))
}

test('an invalid address gets no mail', async () => {
  await expect(write({}, 'ann@mail.test, eve@mail.test')).rejects.toThrow(RangeError)
  await expect(write({}, 'ann@mail.test\r\nRCPT TO:<eve@mail.test>')).rejects.toThrow(RangeError)
  await expect(write({ replyTo: 'bob@mail.test\r\nBcc: eve@mail.test' })).rejects.toThrow(
    RangeError,
  )
  expect(await sent()).toEqual([])
})

test('a line break in the subject adds no header', async () => {
  const id = await write({ subject: 'Knots\r\nBcc: eve@mail.test\r\n\r\nA body' })
  expect(await rowOf(id)).toMatchObject({ subject: 'Knots Bcc: eve@mail.test A body' })
  // Simulates a value that entered the database in another way.
  const other = await write()
  await app.app.database.db
    .updateTable('mails')
    .set({ subject: 'Knots\r\nBcc: eve@mail.test', reply_to: 'bob@mail.test' })
    .where('id', '=', other)
    .execute()
  for (const { to, headers } of await sent()) {
    expect(to).toEqual(['ann@mail.test'])
    expect(headers['bcc']).toBeUndefined()
    expect(headers['subject']).toMatch(/^Knots Bcc: eve@mail\.test/)
  }
  expect(smtp.mails).toHaveLength(2)
})

test('a letter arrives unchanged', async () => {
  const text = 'Здравейте, Ann!\n\n.\n..a line with dots\n<b>no HTML</b> & more ' + 'я'.repeat(400)
  const id = await write({ subject: 'За възлите', text })
  const { message_id } = await rowOf(id)
  const [mail] = await sent()
  expect(mail?.to).toEqual(['ann@mail.test'])
  expect(mail?.headers).toMatchObject({
    subject: 'За възлите',
    from: 'Knowledge Bazaar <hello@bazaar.test>',
    to: 'ann@mail.test',
    'reply-to': 'bob@mail.test',
    'message-id': `<${message_id}@127.0.0.1>`,
  })
  expect(mail?.headers['list-unsubscribe']).toBeUndefined()
  expect(Object.keys(mail?.parts ?? {})).toEqual(['text/plain'])
  expect(mail?.parts['text/plain']?.trimEnd()).toBe(text)
  expect(await rowOf(id)).toMatchObject({
    state: 'sent',
    text: null,
    last_error: null,
    attempts: 1,
  })
})

test("a notice is in its recipient's language, as text and HTML", async () => {
  const id = await notify({}, 'bg')
  const [mail] = await sent()
  const words = 'Няма да получавате повече писма за своите уроци и курсове'
  expect(mail?.headers).toMatchObject({
    from: 'Базар на знания <hello@bazaar.test>',
    'auto-submitted': 'auto-generated',
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
  })
  expect(mail?.headers['list-unsubscribe']).toMatch(
    new RegExp(`^<${app.url}/email/unsubscribe\\?token=[0-9a-f]{32}\\.[\\w-]{43}>$`),
  )
  expect(mail?.parts['text/plain']).toContain(words)
  expect(mail?.parts['text/html']).toContain(words)
  expect(mail?.parts['text/html']).toContain('<html lang="bg">')
  expect(await rowOf(id)).toMatchObject({ state: 'sent', notice: null })
})

test("a notice's values are escaped in HTML", async () => {
  const username = `<img src=x onerror=alert(1)> & "Ann's"`
  await notify({ lines: [message('mailPasswordWhat', { username })] })
  const [mail] = await sent()
  expect(mail?.parts['text/plain']).toContain(username)
  expect(mail?.parts['text/html']).not.toContain('<img')
  expect(mail?.parts['text/html']).toContain(
    '&lt;img src=x onerror=alert(1)&gt; &amp; &quot;Ann&#39;s&quot;',
  )
})

test('the secret of a link is created when the mail is sent', async () => {
  const tokenId = '018f0000-0000-7000-8000-000000000001'
  const link = { label: message('confirmTitle'), path: '/email/confirm?token={token}' }
  const id = await notify({ link, tokenId })
  const { notice } = await rowOf(id)
  const [mail] = await sent()
  const secret = /\/email\/confirm\?token=([\w-]{43})\s/.exec(mail?.parts['text/plain'] ?? '')?.[1]
  expect(secret).toBeDefined()
  expect(JSON.stringify(notice)).not.toContain(secret)
  expect(mail?.parts['text/html']).toContain(`href="${app.url}/email/confirm?token=${secret}"`)
})

test('people who ended notices get only required ones', async () => {
  await setUser(app, ann, { notices: false })
  const ended = await notify({ optional: true })
  await notify({ subject: message('resetTitle') })
  const mails = await sent()
  expect(mails.map(({ headers }) => headers['subject'])).toEqual([translate('en', 'resetTitle')])
  expect(await rowOf(ended)).toMatchObject({ state: 'dropped', notice: null })
  await setUser(app, ann, { notices: true })
  await notify({ optional: true })
  const mail = (await sent()).at(-1)
  expect(mail?.parts['text/plain']).toContain('/email/unsubscribe?token=')
})

test('an .example address is never mailed', async () => {
  const id = await write({}, 'ann@People.EXAMPLE')
  expect(await sent()).toEqual([])
  expect(await rowOf(id)).toMatchObject({ state: 'kept', attempts: 0, text: LETTER.text })
  expect(isNeverMailed('a@b.ｅxample')).toBe(true)
  expect(isNeverMailed('a@example.com')).toBe(false)
  expect(isNeverMailed('a@my-example.org')).toBe(false)
})

test('a sent mail is not sent again', async () => {
  const id = await write()
  expect(await sent()).toHaveLength(1)
  await addJobLater(app.app.database.db, SEND_MAIL, { id })
  expect(await sent()).toHaveLength(1)
})

test('only one of many concurrent workers sends a mail', async () => {
  const id = await write()
  const workers = Array.from({ length: 6 }, () => createWorker(app, smtp.url))
  await Promise.all(workers.map((send) => send(id)))
  expect(await sent()).toHaveLength(1)
  expect(await rowOf(id)).toMatchObject({ state: 'sent', attempts: 1 })
})

test('mails stored without SMTP_URL are sent when it is set', async () => {
  const quiet = await createTestApp({})
  const { db } = quiet.app.database
  const id = await writeLetter(quiet, { address: 'owner@mail.test', kind: 'report' })
  await quiet.runJobs()
  const row = () =>
    db
      .selectFrom('mails')
      .select(['state', 'attempts', 'text'])
      .where('id', '=', id)
      .executeTakeFirst()
  expect(await row()).toEqual({ state: 'waiting', attempts: 0, text: LETTER.text })
  await addJobLater(db, QUEUE_WAITING_MAILS, {})
  await quiet.runJobs()
  expect(await row()).toMatchObject({ attempts: 0 })
  await queueWaitingMails({ db, clock: quiet.clock, config: { SMTP_URL: undefined } })
  const { rows: queued } =
    await sql`select from graphile_worker.jobs where key like 'mail %'`.execute(db)
  expect(queued).toEqual([])

  const speaking = await createTestApp({ SMTP_URL: smtp.url }, null, quiet)
  await addJobLater(db, QUEUE_WAITING_MAILS, {})
  await speaking.runJobs()
  expect(await row()).toEqual({ state: 'sent', attempts: 1, text: null })
  expect(smtp.mails.map(({ to: given }) => given)).toEqual([['owner@mail.test']])
  await speaking.close()
  await quiet.close()
})
