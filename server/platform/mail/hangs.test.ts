import { expect, test } from 'vitest'
import { readMailRow, writeLetter } from '#server/testing/mail/mails.ts'
import { createWorker } from '#server/testing/mail/attempts.ts'
import { openBareSmtp, readMail } from '#server/testing/mail/smtp.ts'
import { openTestApp } from '#server/testing/setup.ts'

/** In ms, for servers that hang anyway. */
const HASTY = { connect: 150, greeting: 150, silence: 150, whole: 400, backoff: 0 }
/** In ms: far below the timeouts of a normal worker. */
const IN_TIME_MS = 3000

const app = await openTestApp()

const write = () => writeLetter(app)
const rowOf = (id: number) => readMailRow(app, id)

test.each(['greeting', 'EHLO', 'MAIL', 'DATA', '.'])(
  'a server that hangs at %s blocks no worker',
  async (where) => {
    const id = await write()
    const smtp = await openBareSmtp((heard) => heard.startsWith(where))
    const { thrown, ms } = await createWorker(app, smtp.url, HASTY)(id)
    await smtp.close()
    expect(thrown).not.toBeNull()
    expect(ms).toBeLessThan(IN_TIME_MS)
    expect(await rowOf(id)).toMatchObject({ state: 'waiting', claimed_until: null })
  },
)

test('a slow server is given up in time', async () => {
  const id = await write()
  const timers: NodeJS.Timeout[] = []
  const smtp = await openBareSmtp((heard, socket) => {
    if (!heard.startsWith('EHLO')) return false
    timers.push(setInterval(() => socket.write('250-more\r\n'), 50))
    return true
  })
  // Only the overall timeout may end it: a busy machine is slow to greet.
  const patient = { ...HASTY, connect: 5000, greeting: 5000, silence: 5000 }
  const { thrown, ms } = await createWorker(app, smtp.url, patient)(id)
  for (const timer of timers) clearInterval(timer)
  await smtp.close()
  expect(thrown).toBe('Message sending aborted')
  expect(ms).toBeLessThan(IN_TIME_MS)
})

test('after a hang neither server nor workers are used for a while', async () => {
  const ids = [await write(), await write()] as const
  const smtp = await openBareSmtp((heard) => heard === 'greeting')
  const limits = { connect: 5000, greeting: 1500, silence: 5000, whole: 5000, backoff: 60_000 }
  const send = createWorker(app, smtp.url, limits)
  expect((await send(ids[0])).ms).toBeGreaterThan(1000)
  const { thrown, ms } = await send(ids[1])
  await smtp.close()
  expect(thrown).toBe('The mail server hung a moment ago')
  expect(ms).toBeLessThan(1000)
  expect(await rowOf(ids[1])).toMatchObject({ state: 'waiting', attempts: 1 })
})

test('a server that disconnects in the middle gets the mail at most once more', async () => {
  const id = await write()
  let deaths = 1
  const smtp = await openBareSmtp((heard, socket) => {
    if (heard !== '.' || deaths === 0) return false
    deaths -= 1
    socket.destroy()
    return true
  })
  expect((await createWorker(app, smtp.url)(id)).thrown).not.toBeNull()
  expect(await rowOf(id)).toMatchObject({ state: 'waiting' })
  expect((await createWorker(app, smtp.url)(id)).thrown).toBeNull()
  expect((await createWorker(app, smtp.url)(id)).thrown).toBeNull()
  await smtp.close()
  const messageIds = smtp.mails.map((raw) => readMail(raw).headers['message-id'])
  expect(messageIds).toHaveLength(2)
  expect(new Set(messageIds).size).toBe(1)
  // The two copies are identical, including the date.
  expect(smtp.mails[0]).toBe(smtp.mails[1])
})
