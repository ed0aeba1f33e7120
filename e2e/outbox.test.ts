/** Tests undelivered mails for administrators, and the links that unsubscribe from all or one kind of notices. */
import { readMail } from '#server/testing/mail/smtp.ts'
import { makeMorning } from './database.ts'
import { expect, visit } from './fixtures.ts'
import { join, linkTo, test, textsTo, title } from './mail.ts'
import { publish, registerAdministrator, registerBuyer, signIn } from './people.ts'

test('failed mails and jobs are retried, or given up after a confirmation', async ({
  page,
  server,
  smtp,
}) => {
  const { email: lost } = await join(server, 'nowhere.test')
  const { email: found } = await join(server, 'nowhere.test')
  await join(server, 'later.test')
  await join(server, 'later.test')
  await signIn(page, server.url, await registerAdministrator(server))
  const rows = page.getByRole('table').getByRole('row')
  await expect(async () => {
    await page.goto('/admin/mails')
    await expect(rows).toHaveCount(3, { timeout: 500 })
  }).toPass()
  await expect(rows.nth(1)).toContainText('550')
  await page.getByRole('checkbox', { name: `to ${lost}` }).check()
  await page.getByRole('button', { name: 'Give up' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Not now' }).click()
  await expect(rows).toHaveCount(3)
  await page.getByRole('button', { name: 'Give up' }).click()
  await expect(dialog).toContainText('Give up this e-mail?')
  await dialog.getByRole('button', { name: 'Give up' }).click()
  await expect(rows).toHaveCount(2)
  await expect(page.getByText('1 e-mail given up')).toBeVisible()

  // Mails to a busy server are retried, and their jobs have failed so far.
  const jobs = page
    .getByRole('table', { name: 'Failed jobs' })
    .getByRole('row', { name: /Send an e-mail/ })
  await expect(async () => {
    await page.goto('/admin/jobs')
    await expect(jobs).toHaveCount(2, { timeout: 500 })
  }).toPass()
  // Found by name, because the next due job moves to the top.
  const name = (await jobs.first().locator('label').textContent()) ?? ''
  const dropped = page.getByRole('checkbox', { name, exact: true })
  await jobs.first().getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Drop' }).click()
  await expect(dialog).toContainText('Drop this job?')
  await dialog.getByRole('button', { name: 'Drop' }).click()
  await expect(page.getByText('1 job dropped')).toBeVisible()
  // The button has disappeared, so that focus moves to the start of the page's content.
  await expect(page.getByRole('main')).toBeFocused()
  await expect(dropped).toHaveCount(0)

  smtp.knows = true
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await page.getByRole('button', { name: 'Try again now' }).click()
  const arrived = (domain: string) => smtp.mails.filter(({ to }) => to[0]?.endsWith(domain))
  await expect.poll(() => arrived('@later.test').length).toBeGreaterThan(0)
  await expect(page.getByText('No failed jobs')).toBeVisible()
  await page.goto('/admin/mails')
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await page.getByRole('button', { name: 'Try again now' }).click()
  await expect(page.getByText('No failed e-mails.')).toBeVisible()
  await expect.poll(() => textsTo(smtp, found).length).toBe(1)
  await page.getByRole('link', { name: 'Sent', exact: true }).click()
  await expect(page).toHaveURL(/\/admin\/mails\?/)
  // The mail server receives the mail shortly before the product records it.
  await expect(async () => {
    await page.reload()
    await expect(rows.filter({ hasText: found })).toHaveCount(1, { timeout: 1000 })
  }).toPass()
  expect(textsTo(smtp, lost)).toEqual([])
  await page.goto('/admin/log')
  await expect(page.getByRole('main')).toContainText('Send an e-mail')
})

test('the daily mail arrives in the morning, and its links unsubscribe from one kind or all', async ({
  page,
  server,
  smtp,
}) => {
  const { url, dataDir } = server
  const author = await join(server)
  await visit(page, await linkTo(smtp, author.email, 'email/confirm'))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(title(page)).toHaveText('Your e-mail is confirmed')
  const lesson = await publish(url, author, { title: 'Sauerkraut' })
  await registerBuyer(server, 100, `lesson/buy/${lesson}`)
  // The mail is only due once the notices are settled.
  await expect.poll(() => makeMorning(dataDir, author.id)).toBe(true)
  const kind = 'Unlocks'
  const line = `Unsubscribe: ${kind}`
  const digest = () => textsTo(smtp, author.email).find((text) => text.includes(line))
  await expect.poll(digest).toContain('Sauerkraut')
  await visit(page, digest()?.split(`${line}: `)[1]?.split(/\s/)[0] ?? '')
  await expect(title(page)).toHaveText('Unsubscribe')
  await expect(
    page.getByText(`${kind}. You won’t get e-mails of this kind any more.`),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Unsubscribe' }).click()
  await expect(title(page)).toHaveText('You’re unsubscribed')
  // Only mails of that kind end; notices in the product remain.
  await signIn(page, url, author)
  await visit(page, '/profile/notifications')
  const mailOf = (name: string) => page.getByRole('combobox', { name: `By e-mail: ${name}` })
  await expect(mailOf(kind)).toHaveValue('none')
  await expect(mailOf('Ratings')).toHaveValue('digest')
  await expect(page.getByRole('checkbox', { name: `On the site: ${kind}` })).toBeChecked()

  // The link in the mail header ends all mails.
  const [raw = ''] = smtp.mails.flatMap((mail) => (mail.to[0] === author.email ? [mail.raw] : []))
  const header = readMail(raw).headers['list-unsubscribe'] ?? ''
  const path = /\/email\/unsubscribe\?token=[^>]+/.exec(header)?.[0] ?? ''
  for (const [link, says] of [
    [path.slice(0, -5), 'This link doesn’t work'],
    [path, 'You’re unsubscribed'],
  ] as const) {
    await page.goto(link)
    await page.getByRole('button', { name: 'Unsubscribe' }).click()
    await expect(title(page)).toHaveText(says)
  }
  await page.goto('/profile/update')
  await expect(page.getByRole('checkbox', { name: /E-mail me notifications/ })).not.toBeChecked()
})
