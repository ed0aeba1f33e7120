import { expect, onTestFinished, test } from 'vitest'
import { noteAddress } from '#server/kernel/process/running.ts'
import { runAdmin } from '#server/testing/commands/admin.ts'
import { openSmtp } from '#server/testing/mail/smtp.ts'
import { makeTestFolder } from '#server/testing/folder.ts'
import { openTestApp } from '#server/testing/setup.ts'

const app = await openTestApp()
const folder = await makeTestFolder()
await app.signUp('Elena')

test.each(['grant', 'reset', 'forget-factor'])(
  '%s finds nobody with an unknown name',
  async (word) => {
    expect((await runAdmin(app, [word, 'nobody'])).stderr).toBe('There is nobody called nobody.\n')
  },
)

test('a reset link begins with the address of the running server', async () => {
  const forget = await noteAddress(folder, 'http://localhost:3007')
  const ask = async (more: Record<string, string> = {}) =>
    (await runAdmin(app, ['reset', 'elena'], { DATA_DIR: folder, ...more })).stdout
  expect(await ask()).toMatch(/^http:\/\/localhost:3007\/password/)
  expect(await ask({ PUBLIC_URL: 'https://bazaar.example' })).toMatch(
    /^https:\/\/bazaar\.example\/password/,
  )
  await forget()
})

test('create makes an account that sets its password by the link, once', async () => {
  const words = ['create', 'Founder', 'founder@mail.test']
  const { stdout, stderr } = await runAdmin(app, words)
  expect([stdout, stderr]).toEqual([expect.stringContaining('/password/reset?token='), ''])
  const token = new URL(stdout.trim()).searchParams.get('token')
  const password = 'secret of Founder'
  const set = await app.call('POST', '/identity/password/reset', { json: { token, password } })
  expect(set.status).toBe(204)
  const { body } = await app.call<{ role: string }>('POST', '/identity/login', {
    json: { username: 'founder', password },
  })
  expect(body).toMatchObject({ role: 'administrator' })
  expect((await runAdmin(app, words)).stdout).toBe('Founder is an administrator now.\n')
  expect((await runAdmin(app, ['list'])).stdout.split('\n')).toContain('Founder')
  expect((await runAdmin(app, ['create', 'Founder', 'ann@mail.test'])).stderr).toContain(
    'Founder is somebody with another e-mail address.',
  )
  expect((await runAdmin(app, ['create', 'Other', 'founder@mail.test'])).stderr).toBe(
    'founder@mail.test belongs to another account.\n',
  )
  expect((await runAdmin(app, ['create', 'x', 'founder@mail.test'])).stderr).toContain(
    '"x" with "founder@mail.test" can\'t have an account',
  )
})

test('test-mail sends a mail at once, or says why not', async () => {
  const smtp = await openSmtp()
  onTestFinished(() => smtp.close())
  const settings = { SMTP_URL: smtp.url, MAIL_FROM: 'hello@bazaar.test', NODE_ENV: 'production' }
  const to = 'ann@mail.test'
  expect((await runAdmin(app, ['test-mail', to])).stderr).toContain('SMTP_URL is not set')
  expect((await runAdmin(app, ['test-mail', 'a@b.example'], settings)).stderr).toContain('.example')
  expect((await runAdmin(app, ['test-mail', to], settings)).stdout).toContain(
    `127.0.0.1 accepted a mail to ${to}.`,
  )
  expect(smtp.mails).toEqual([
    { to: [to], raw: expect.stringContaining('Subject: Knowledge Bazaar: test mail') },
  ])
  await smtp.close()
  expect((await runAdmin(app, ['test-mail', to], settings)).stderr).toMatch(/ECONNREFUSED/)
})
