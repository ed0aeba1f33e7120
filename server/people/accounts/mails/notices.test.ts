import { beforeEach, expect, it } from 'vitest'
import type { Session } from '#contract/accounts.ts'
import { testPicture } from '#server/testing/app.ts'
import { formOf } from '#server/testing/http/forms.ts'
import { openSmtp, readMail } from '#server/testing/mail/smtp.ts'
import { closeAtEnd, openTestApp } from '#server/testing/setup.ts'

const smtp = closeAtEnd(await openSmtp())
const app = await openTestApp({ SMTP_URL: smtp.url, MAIL_FROM: 'hello@bazaar.test' })
const fields = { username: 'Боян', email: 'boyan@mail.test', password: 'correct horse' }
const form = formOf({ ...fields, image: await testPicture() })
const headers = { 'accept-language': 'bg' }
await app.call<Session>('POST', '/identity/register', { form, headers })
beforeEach(() => {
  smtp.mails.length = 0
})

/** Returns received mails with the token of their link. */
async function receivedMails() {
  await app.runJobs()
  return smtp.mails.map(({ to, raw }) => {
    const { headers, parts } = readMail(raw)
    const text = parts['text/plain'] ?? ''
    const [link = '', token] = /http:\S+\?token=(\S+)/.exec(text) ?? []
    const isTwin = parts['text/html']?.includes(link) === true
    return { to, subject: headers['subject'], text, link: link.split('?')[0], token, isTwin }
  })
}

const post = (path: string, json: unknown) =>
  app.call('POST', `/identity${path}`, { json }).then(({ status }) => status)

it('a new person gets a mail in their language', async () => {
  const [mail] = await receivedMails()
  expect(mail).toMatchObject({
    to: ['boyan@mail.test'],
    subject: 'Потвърдете имейла си в Базар на знания',
    link: `${app.url}/email/confirm`,
    isTwin: true,
  })
  expect(mail?.text).toContain('Боян, моля, потвърдете')
  expect(await post('/email/confirm', { token: mail?.token })).toBe(204)
})

it('a new access token is announced with its scopes, and without its name', async () => {
  const json = { username: 'Боян', password: 'correct horse' }
  const { body } = await app.call<Session>('POST', '/identity/login', { json })
  const as = { session: body, cookie: '', password: json.password }
  const token = { name: 'win.example', scopes: ['read', 'chat'], days: 7, password: as.password }
  expect((await app.call('POST', '/identity/tokens', { as, json: token })).status).toBe(200)
  const mail = (await receivedMails()).at(-1)
  expect(mail).toMatchObject({ to: ['boyan@mail.test'], subject: 'Създаден е ключ за програма' })
  expect(mail?.text).toContain('read, chat')
  expect(mail?.text).toContain(`${app.url}/profile/tokens`)
  expect(mail?.text).not.toContain('win')
})
