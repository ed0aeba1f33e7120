/** Runs the product with a mail server that refuses nowhere.test permanently and later.test temporarily. */
import type { Page } from '@playwright/test'
import { openSmtp, readMail, type TestSmtp } from '#server/testing/mail/smtp.ts'
import { expect, test as base } from './fixtures.ts'
import { newPerson, register, type Registered } from './people.ts'
import { startServer, type Server } from './server.ts'

type Smtp = TestSmtp & { knows: boolean }

export const test = base.extend<object, { smtp: Smtp; server: Server }>({
  smtp: [
    async ({}, use) => {
      const given = { knows: false }
      const smtp = await openSmtp({
        onRcptTo: ({ address }, _session, done) => done(given.knows ? null : refusalOf(address)),
      })
      await use(Object.assign(given, smtp))
      await smtp.close()
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ smtp }, use) => {
      const server = await startServer({ SMTP_URL: smtp.url, MAIL_FROM: 'hello@bazaar.test' })
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
})

/** Returns a permanent or temporary error, or null. */
function refusalOf(address: string): Error | null {
  if (address.endsWith('@nowhere.test'))
    return Object.assign(new Error('User unknown'), { responseCode: 550 })
  if (address.endsWith('@later.test'))
    return Object.assign(new Error('Busy'), { responseCode: 451 })
  return null
}

/** An address that receives mail, unlike those of .example. */
export const newAddress = (domain = 'mail.test'): string => `${newPerson().username}@${domain}`

/** Registers a person who receives mail, or doesn't with another domain. */
export const join = ({ url }: Server, domain?: string): Promise<Registered> =>
  register(url, { email: newAddress(domain) })

/** Returns the plain texts of the mails to an address. */
export const textsTo = (smtp: TestSmtp, address: string): string[] =>
  smtp.mails
    .filter(({ to }) => to[0] === address)
    .map(({ raw }) => readMail(raw).parts['text/plain'] ?? '')

/** Waits for a mailed link of this kind, and returns the path of the newest one. */
export async function linkTo(smtp: TestSmtp, address: string, kind: string): Promise<string> {
  const links = () =>
    textsTo(smtp, address).flatMap(
      (text) => new RegExp(`/${kind}\\?token=\\S+`).exec(text)?.[0] ?? [],
    )
  await expect.poll(() => links().length).toBeGreaterThan(0)
  return links().at(-1) ?? ''
}

/** The heading with the result of a link. */
export const title = (page: Page) => page.getByRole('heading', { level: 1 })
