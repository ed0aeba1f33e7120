import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { addJobLater } from '#server/platform/jobs/queue.ts'
import { QUEUE_WAITING_MAILS } from '#server/platform/mail/waiting.ts'
import { LETTER, readMailRow, writeLetter } from '#server/testing/mail/mails.ts'
import { createWorker } from '#server/testing/mail/attempts.ts'
import { openSmtp, readMail, type TestSmtp } from '#server/testing/mail/smtp.ts'
import { openTestApp } from '#server/testing/setup.ts'

const HOUR_MS = 60 * 60 * 1000
const AUTH = { user: 'bazaar', pass: 'a very secret password' }

const gone = await openSmtp()
await gone.close()
/** Nobody listens on this port any more. */
const deadPort = gone.port
const app = await openTestApp({ SMTP_URL: `smtp://127.0.0.1:${deadPort}` })
afterEach(() => {
  app.clock.time = null
})

const db = () => app.app.database.db

const write = (address = 'ann@mail.test') => writeLetter(app, { address })
const rowOf = (id: number) => readMailRow(app, id)

const attempt = (id: number, url: string) => createWorker(app, url)(id)

/** Makes all postponed mails due now. */
async function makeDue(): Promise<void> {
  await sql`update graphile_worker._private_jobs set run_at = now() where key like 'mail %'`.execute(
    db(),
  )
}

async function whileOpen(
  options: Parameters<typeof openSmtp>[0],
  act: (smtp: TestSmtp) => Promise<void>,
): Promise<void> {
  const smtp = await openSmtp(options)
  await act(smtp).finally(() => smtp.close())
}

test('an hour without a server neither loses nor duplicates a mail', async () => {
  const ids = [await write('a@mail.test'), await write('b@mail.test'), await write('c@mail.test')]
  const begun = Date.now()
  for (const minutes of [0, 1, 5, 20, 50]) {
    app.clock.time = new Date(begun + minutes * 60_000)
    await makeDue()
    await app.runJobs()
  }
  for (const id of ids) {
    const row = await rowOf(id)
    expect(row).toMatchObject({ state: 'waiting', attempts: 5, text: LETTER.text })
    expect(row.last_error).toContain('ECONNREFUSED')
  }
  const smtp = await openSmtp({}, deadPort)
  app.clock.time = new Date(begun + HOUR_MS)
  await makeDue()
  await app.runJobs()
  await makeDue()
  await app.runJobs()
  await smtp.close()
  const got = smtp.mails.map(({ to }) => to[0])
  expect(got).toHaveLength(3)
  expect(new Set(got)).toEqual(new Set(['a@mail.test', 'b@mail.test', 'c@mail.test']))
  for (const id of ids) expect(await rowOf(id)).toMatchObject({ state: 'sent' })
})

test('after three days of attempts a mail has failed, and is shown', async () => {
  const id = await write()
  await app.runJobs()
  app.clock.time = new Date(Date.now() + 71 * HOUR_MS)
  await makeDue()
  await app.runJobs()
  expect(await rowOf(id)).toMatchObject({ state: 'waiting', attempts: 2 })
  app.clock.time = new Date(Date.now() + 73 * HOUR_MS)
  await makeDue()
  await app.runJobs()
  expect(await rowOf(id)).toMatchObject({ state: 'failed', attempts: 3, text: LETTER.text })
  await makeDue()
  await app.runJobs()
  expect(await rowOf(id)).toMatchObject({ attempts: 3 })
})

test("the queue's pauses reach three days before its attempts end", async () => {
  let hours = 0
  let attempts = 1
  while (hours < 72) {
    hours += Math.exp(Math.min(attempts, 10)) / 3600
    attempts += 1
  }
  expect({ attempts, hours: Math.round(hours) }).toEqual({ attempts: 22, hours: 77 })
  const id = await write()
  const { rows } = await sql<{ max_attempts: number }>`
    select max_attempts from graphile_worker.jobs where key = ${`mail ${id}`}`.execute(db())
  expect(rows[0]?.max_attempts).toBeGreaterThan(attempts)
})

test('one refused recipient does not affect the others', async () => {
  const refused = await write('nobody@mail.test')
  const other = await write('ann@mail.test')
  await whileOpen(
    {
      onRcptTo: ({ address }, _session, done) => {
        const no = Object.assign(new Error(`no ${address} here, ask eve@mail.test`), {
          responseCode: 550,
        })
        done(address === 'nobody@mail.test' ? no : null)
      },
    },
    async ({ url, mails }) => {
      expect((await attempt(refused, url)).thrown).toBeNull()
      expect((await attempt(other, url)).thrown).toBeNull()
      expect(mails.map(({ to }) => to)).toEqual([['ann@mail.test']])
    },
  )
  const row = await rowOf(refused)
  expect(row).toMatchObject({ state: 'failed', attempts: 1, text: LETTER.text })
  expect(row.last_error).toContain('550')
  expect(row.last_error).not.toMatch(/nobody|eve/)
  expect(await rowOf(other)).toMatchObject({ state: 'sent' })
})

test('a wrong password loses no mail and is never logged', async () => {
  const id = await write()
  await whileOpen(
    {
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) =>
        done(
          username === AUTH.user && password === AUTH.pass
            ? null
            : new Error(`535 no ${username} with ${password}`),
          { user: username },
        ),
    },
    async ({ url, mails }) => {
      const as = (pass: string) => url.replace('//', `//${AUTH.user}:${encodeURIComponent(pass)}@`)
      const { thrown } = await attempt(id, as('quite another secret'))
      const { state, last_error } = await rowOf(id)
      expect(state).toBe('waiting')
      expect(last_error).toBe(thrown)
      expect(thrown).toContain('535')
      expect(thrown).not.toMatch(/another|bazaar/)
      expect((await attempt(id, as(AUTH.pass))).thrown).toBeNull()
      expect(mails).toHaveLength(1)
    },
  )
})

test('a password is not sent unencrypted', async () => {
  const id = await write()
  const heard: string[] = []
  await whileOpen(
    {
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username = '' }, _session, done) => {
        heard.push(username)
        done(null, { user: username })
      },
    },
    async ({ url, mails }) => {
      // This machine by a name that doesn't look local.
      const far = url.replace('127.0.0.1', `${AUTH.user}:secret@0x7f000001`)
      expect((await attempt(id, far)).thrown).not.toBeNull()
      expect(heard).toEqual([])
      expect((await attempt(id, `${far}?ignoreTLS=true`)).thrown).toBeNull()
      expect(heard).toEqual([AUTH.user])
      expect(mails).toHaveLength(1)
    },
  )
})

test('a certificate that nobody signed is refused', async () => {
  const id = await write()
  await whileOpen({ hideSTARTTLS: false }, async ({ url, mails }) => {
    expect((await attempt(id, url)).thrown).toMatch(/certificate/)
    expect(mails).toEqual([])
    expect((await attempt(id, `${url}?tls.rejectUnauthorized=false`)).thrown).toBeNull()
    expect(mails).toHaveLength(1)
  })
  expect(await rowOf(id)).toMatchObject({ state: 'sent', attempts: 2 })
})

test('a crash between sending and recording sends the mail once more', async () => {
  const id = await write()
  await sql`
    create function fail() returns trigger language plpgsql as $$ begin raise 'crash'; end $$`.execute(
    db(),
  )
  await sql`
    create trigger fail before update on mails for each row when (new.state = 'sent')
    execute function fail()`.execute(db())
  await whileOpen({}, async ({ url, mails }) => {
    expect((await attempt(id, url)).thrown).toContain('crash')
    await sql`drop trigger fail on mails`.execute(db())
    // The claim lasts until no worker can be sending any more.
    expect((await attempt(id, url)).thrown).toBeNull()
    expect(mails).toHaveLength(1)
    await sql`update mails set claimed_until = now() - interval '1 second' where id = ${id}`.execute(
      db(),
    )
    expect((await attempt(id, url)).thrown).toBeNull()
    expect((await attempt(id, url)).thrown).toBeNull()
    const messageIds = mails.map(({ raw }) => readMail(raw).headers['message-id'])
    expect(messageIds).toHaveLength(2)
    expect(new Set(messageIds).size).toBe(1)
  })
  expect(await rowOf(id)).toMatchObject({ state: 'sent', text: null })
})

test('a mail whose worker died gets a new job', async () => {
  const id = await write()
  const jobs = () =>
    sql<{ due: boolean }>`
      select run_at <= now() as due from graphile_worker.jobs
      where key = ${`mail ${id}`} and locked_at is null`.execute(db())
  await sql`
    update graphile_worker._private_jobs set locked_at = now() - interval '3 minutes', locked_by = 'gone'
    where key = ${`mail ${id}`}`.execute(db())
  await sql`update mails set claimed_until = now() - interval '1 minute' where id = ${id}`.execute(
    db(),
  )
  expect((await jobs()).rows).toEqual([])
  await addJobLater(db(), QUEUE_WAITING_MAILS, {})
  await app.runJobs()
  expect((await jobs()).rows).toHaveLength(1)
  expect(await rowOf(id)).toMatchObject({ state: 'waiting', attempts: 1 })
})
