/** Mails that do not arrive, as an administrator sees them, and the links that end the notices, all or one kind. */
import { type MessageKey } from '#contract/messages/messages.ts'
import type { MessageValues } from '#contract/message.ts'
import { translate } from '#server/kernel/text/messages.ts'
import { openSmtp, readMail, type TestSmtp } from '#server/testing/mail/smtp.ts'
import { makeMorning } from './database.ts'
import { expect, test as base, visit } from './fixtures.ts'
import { grantAdministration, newPerson, publish, register, signIn } from './people.ts'
import { startServer, type Server } from './server.ts'

const locale = 'en'

/** The product with a mail server that knows nobody at nowhere.test and is busy for later.test, at first. */
const test = base.extend<object, { smtp: TestSmtp & { knows: boolean }; server: Server }>({
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

/** For good, for now, or none. */
function refusalOf(address: string): Error | null {
  if (address.endsWith('@nowhere.test'))
    return Object.assign(new Error('User unknown'), { responseCode: 550 })
  if (address.endsWith('@later.test'))
    return Object.assign(new Error('Busy'), { responseCode: 451 })
  return null
}

test('failed mails are tried again, or given up after a question', async ({
  page,
  server,
  smtp,
}) => {
  const { url } = server
  const administrator = await register(url)
  await grantAdministration(server.dataDir, administrator)
  const people = []
  for (let n = 0; n < 2; n += 1) {
    const person = newPerson()
    people.push({ ...person, email: `${person.username}@nowhere.test` })
  }
  for (const person of people) await register(url, person)
  const [lost, found] = people.map(({ email }) => email)
  await signIn(page, url, administrator)

  const rows = page.getByRole('table').getByRole('row')
  await expect(async () => {
    await page.goto('/admin/mails')
    await expect(rows).toHaveCount(3)
  }).toPass()
  await expect(rows.nth(1)).toContainText('550')

  await page.getByRole('checkbox', { name: `to ${lost}` }).check()
  await page.getByRole('button', { name: 'Give up' }).click()
  const dialog = page.getByRole('dialog', { name: 'Give this mail up?' })
  await dialog.getByRole('button', { name: 'Not now' }).click()
  await expect(rows).toHaveCount(3)
  await page.getByRole('button', { name: 'Give up' }).click()
  await dialog.getByRole('button', { name: 'Give up' }).click()
  await expect(rows).toHaveCount(2)
  await expect(page.getByText('1 mail given up')).toBeVisible()

  smtp.knows = true
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await page.getByRole('button', { name: 'Try again now' }).click()
  await expect(page.getByText('No mail has failed.')).toBeVisible()
  await expect.poll(() => smtp.mails.filter(({ to }) => to[0] === found).length).toBe(1)
  await page.getByRole('link', { name: 'Sent' }).click()
  await expect(page).toHaveURL(/\/admin\/mails\?/)
  // The mail server has it a moment before the product has noted so.
  await expect(async () => {
    await page.reload()
    await expect(rows.filter({ hasText: found ?? '' })).toHaveCount(1, { timeout: 1000 })
  }).toPass()
  expect(smtp.mails.some(({ to }) => to[0] === lost)).toBe(false)
})

test('mails that wait for a busy server go at a press, or are given up', async ({
  page,
  server,
  smtp,
}) => {
  const { url } = server
  smtp.knows = false
  const administrator = await register(url)
  await grantAdministration(server.dataDir, administrator)
  await signIn(page, url, administrator)
  const addresses: string[] = []
  for (let n = 0; n < 2; n += 1) {
    const person = newPerson()
    addresses.push(`${person.username}@later.test`)
    await register(url, { ...person, email: addresses.at(-1) ?? '' })
  }
  const [goes = '', ends = ''] = addresses
  const table = page.getByRole('table', { name: 'Waiting' })
  await expect(async () => {
    await page.goto('/admin/mails?state=waiting')
    for (const address of addresses)
      await expect(
        table.getByRole('row').filter({ hasText: address }).filter({ hasText: '451' }),
      ).toHaveCount(1, { timeout: 500 })
  }).toPass()

  await table.getByRole('checkbox', { name: `to ${ends}` }).check()
  await page.getByRole('button', { name: 'Give up' }).click()
  await page
    .getByRole('dialog', { name: 'Give this mail up?' })
    .getByRole('button', { name: 'Give up' })
    .click()
  await expect(page.getByText('1 mail given up')).toBeVisible()
  await expect(table.getByText(ends)).toHaveCount(0)

  await table.getByRole('checkbox', { name: `to ${goes}` }).check()
  smtp.knows = true
  await page.getByRole('button', { name: 'Try again now' }).click()
  await expect.poll(() => smtp.mails.filter(({ to }) => to[0] === goes).length).toBe(1)
  expect(smtp.mails.some(({ to }) => to[0] === ends)).toBe(false)
})

test('failed jobs are dropped after a question, or run again', async ({ page, server, smtp }) => {
  const { url } = server
  smtp.knows = false
  const administrator = await register(url)
  await grantAdministration(server.dataDir, administrator)
  for (let n = 0; n < 2; n += 1) {
    const person = newPerson()
    await register(url, { ...person, email: `${person.username}@later.test` })
  }
  await signIn(page, url, administrator)
  const failed = page.getByRole('table', { name: 'Failed jobs' })
  const jobs = failed.getByRole('row', { name: /Send a mail/ })
  await expect(async () => {
    await page.goto('/admin/jobs')
    await expect(jobs).toHaveCount(2, { timeout: 500 })
  }).toPass()

  // By name: the job that is tried next goes to the top.
  const name = (await jobs.first().locator('label').textContent()) ?? ''
  const dropped = failed.getByRole('checkbox', { name, exact: true })
  await dropped.check()
  await page.getByRole('button', { name: 'Drop' }).click()
  const dialog = page.getByRole('dialog', { name: 'Drop this job?' })
  await dialog.getByRole('button', { name: 'Not now' }).click()
  await expect(jobs).toHaveCount(2)
  await page.getByRole('button', { name: 'Drop' }).click()
  await dialog.getByRole('button', { name: 'Drop' }).click()
  await expect(page.getByText('1 job dropped')).toBeVisible()
  // The button is gone: who works by key goes on from the page's top.
  await expect(page.locator('#main')).toBeFocused()
  await expect(dropped).toHaveCount(0)

  const before = smtp.mails.length
  await failed.getByRole('checkbox', { name: 'Select all on this page' }).check()
  smtp.knows = true
  await page.getByRole('button', { name: 'Try again now' }).click()
  await expect.poll(() => smtp.mails.length).toBeGreaterThan(before)
  await expect(page.getByText('No job has failed')).toBeVisible()
  await page.goto('/admin/log')
  await expect(page.getByRole('main')).toContainText('Send a mail')
})

test.describe('the link of a notice', () => {
  /** The path that the header of a person's mail names. */
  async function findEnding(smtp: TestSmtp, address: string): Promise<string> {
    const mails = () => smtp.mails.filter(({ to }) => to[0] === address)
    await expect.poll(() => mails().length).toBe(1)
    const header = readMail(mails()[0]?.raw ?? '').headers['list-unsubscribe'] ?? ''
    return /\/email\/unsubscribe\?token=[^>]+/.exec(header)?.[0] ?? ''
  }

  test('ends the notices at a press', async ({ page, server, smtp }) => {
    const person = newPerson()
    const email = `${person.username}@mail.test`
    await register(server.url, { ...person, email })
    await page.goto(await findEnding(smtp, email))
    await page.getByRole('button', { name: 'End the notices' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('The notices have ended')
    await signIn(page, server.url, person)
    await page.goto('/profile/update')
    await expect(page.getByRole('checkbox', { name: /Mail me notices/ })).not.toBeChecked()
  })

  test('does so without script, and says when it is broken', async ({ browser, server, smtp }) => {
    const person = newPerson()
    const email = `${person.username}@mail.test`
    await register(server.url, { ...person, email })
    const path = await findEnding(smtp, email)
    const context = await browser.newContext({ javaScriptEnabled: false, baseURL: server.url })
    const page = await context.newPage()
    const heading = page.getByRole('heading', { level: 1 })
    await page.goto(path)
    await page.getByRole('button', { name: 'End the notices' }).click()
    await expect(heading).toHaveText('The notices have ended')
    await page.goto(path.slice(0, -5))
    await page.getByRole('button', { name: 'End the notices' }).click()
    await expect(heading).toHaveText('This link does not work')
    await context.close()
  })
})

const say = (key: MessageKey, values?: MessageValues) => translate('en', key, values)
const textsTo = (smtp: TestSmtp, address: string) =>
  smtp.mails
    .filter(({ to }) => to[0] === address)
    .map(({ raw }) => readMail(raw).parts['text/plain'] ?? '')

test(`the mail of the day comes in the morning, and its link ends one kind`, async ({
  browser,
  server,
  smtp,
}) => {
  const { url, dataDir } = server
  const person = newPerson()
  const email = `${person.username}@mail.test`
  const author = await register(url, { ...person, email }, locale)
  const confirmation = () =>
    textsTo(smtp, email)
      .join('')
      .match(/\/email\/confirm\?token=\S+/)?.[0]
  await expect.poll(confirmation).toBeDefined()
  const context = await browser.newContext({
    locale: 'en-GB',
    baseURL: url,
  })
  const page = await context.newPage()
  await visit(page, confirmation() ?? '')
  await page.getByRole('button', { name: say('confirmSubmit') }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('confirmDone'))

  const reader = await register(url)
  const lesson = await publish(url, author, { title: 'Sauerkraut' })
  // By which they have what it costs.
  await publish(url, reader)
  const bought = await fetch(`${url}/api/lesson/buy/${lesson}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${reader.accessToken}` },
  })
  expect(bought.status).toBe(200)
  // Once what happened is settled, there is something to tell.
  await expect.poll(() => makeMorning(dataDir, author.id)).toBe(true)
  const kind = say('noticeKindSold')
  const line = say('mailDigestEndKind', { kind })
  const digest = () => textsTo(smtp, email).find((text) => text.includes(line))
  await expect.poll(digest).toContain('Sauerkraut')
  const link = digest()?.split(`${line}: `)[1]?.split(/\s/)[0] ?? ''

  await visit(page, link)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('unsubscribeTitle'))
  await expect(page.getByText(`${kind}. ${say('unsubscribeKindWhat')}`)).toBeVisible()
  await page.getByRole('button', { name: say('unsubscribeSubmit') }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(say('unsubscribeDone'))
  // That kind alone, and nothing of it in the product.
  await signIn(page, url, author)
  await visit(page, '/profile/notifications')
  const mailOf = (name: MessageKey) =>
    page.getByRole('combobox', { name: say('noticeWaysMailOf', { kind: say(name) }) })
  await expect(mailOf('noticeKindSold')).toHaveValue('none')
  await expect(mailOf('noticeKindRated')).toHaveValue('digest')
  const shown = say('noticeWaysShownOf', { kind })
  await expect(page.getByRole('checkbox', { name: shown })).toBeChecked()
  await context.close()
})
