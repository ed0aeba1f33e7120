import { expect, test } from 'vitest'
import { message } from '#contract/message.ts'
import { addMailLater, addNoticeLater } from '#server/platform/mail/outbox.ts'
import { createTestApp } from '#server/testing/app.ts'
import { sendRaw } from '#server/testing/http/raw-http.ts'
import { openTestApp } from '#server/testing/setup.ts'

const app = await openTestApp({ NODE_ENV: 'development' })

const to = { userId: null, address: 'ann@mail.test', locale: 'bg' } as const

async function open(path: string) {
  const answer = await fetch(`${app.url}${path}`)
  return {
    status: answer.status,
    policy: answer.headers.get('content-security-policy'),
    body: await answer.text(),
  }
}

test.each([
  ['in production', {}],
  ['on a public address', { NODE_ENV: 'development', HOST: '0.0.0.0' }],
])('there is no /dev/mail %s', async (_, environment) => {
  const other = await createTestApp(environment)
  expect((await fetch(`${other.url}/dev/mail`)).status).toBe(404)
  await other.close()
})

// Any website could define one.
test('another host name of this machine is refused', async () => {
  const statusBy = async (host: string) => (await sendRaw(app.url, '/dev/mail', { host })).status
  expect(await statusBy('evil.test')).toBe(404)
  expect(await statusBy('localhost:3000')).toBe(200)
})

test('what a proxy passes on gets nothing', async () => {
  for (const name of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via']) {
    const answer = await fetch(`${app.url}/dev/mail`, { headers: { [name]: '127.0.0.1' } })
    expect([name, answer.status]).toEqual([name, 404])
  }
})

test('mails are listed, newest first', async () => {
  expect((await open('/dev/mail')).body).toContain('No mail has been written yet')
  const { db } = app.app.database
  const letter = { kind: 'letter', replyTo: 'bob@mail.test', held: true } as const
  await addMailLater(db, to, { ...letter, subject: 'The first', text: 'Hello' }, new Date())
  await addMailLater(db, to, { ...letter, subject: '<b>second', text: 'Hello' }, new Date())
  const { status, body } = await open('/dev/mail')
  expect(status).toBe(200)
  expect(body.indexOf('&lt;b&gt;second')).toBeGreaterThan(0)
  expect(body.indexOf('&lt;b&gt;second')).toBeLessThan(body.indexOf('The first'))
  expect(body).not.toContain('<b>second')
})

test("a mail's links work, and nothing else in it", async () => {
  const id = await addNoticeLater(
    app.app.database.db,
    to,
    {
      subject: message('confirmTitle'),
      lines: [message('mailPasswordWhat', { username: '<script>alert(1)</script>' })],
      link: { label: message('confirmTitle'), path: '/email/confirm?token={token}' },
      tokenId: '018f0000-0000-7000-8000-000000000001',
    },
    new Date(),
  )
  const page = await open(`/dev/mail/${id}`)
  expect(page.body).toMatch(new RegExp(`<a href="${app.url}/email/confirm\\?token=[\\w-]{43}"`))
  expect(page.body).not.toContain('<script>')
  const twin = await open(`/dev/mail/${id}/html`)
  expect(twin.policy).toContain("default-src 'none'")
  expect(twin.policy).toContain('sandbox')
  expect(twin.policy).not.toContain('allow-scripts')
  expect(twin.body).toContain('<html lang="bg">')
  expect(twin.body).not.toContain('<script>')
  expect((await open('/dev/mail/999999')).status).toBe(404)
  expect((await open('/dev/mail/x')).status).toBe(404)
})
