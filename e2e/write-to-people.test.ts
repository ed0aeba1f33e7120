/** Tests mails that people write: a guest's problem report, and a learner's letter to an owner. */
import { expect, intercept, loseAnswer, stored, visit } from './fixtures.ts'
import { registerAdministrator, registerBuyer, signIn } from './people.ts'
import { test } from './plaits.ts'

const WORDS = 'The bell rings, but nobody opens the door for me.'

test('a guest sees validation errors and sends a report, and an administrator closes it', async ({
  page,
  sit,
  server,
}) => {
  const topic = 'Door <b>shut</b>'
  const report = { senderEmail: 'other@people.example', topic: 'Another', emailText: WORDS }
  await page.request.post('/api/email/send', { data: report })
  await page.goto('/')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Report a problem' }).click()
  await expect(page.getByText('What helps us most')).toBeVisible()
  const send = page.getByRole('button', { name: 'Send Email' })
  await expect(send).toBeDisabled()
  const missing = page.getByText(
    /^Still missing: Your e-mail, Problem type and Problem description/,
  )
  await expect(missing).toBeHidden()
  await send.press('Enter')
  await expect(missing).toBeVisible()
  const [email, kind, text] = ['Your e-mail', 'Problem type', 'Problem description'].map((name) =>
    page.getByLabel(name),
  )
  if (email === undefined || kind === undefined || text === undefined) throw new Error('fields')
  await email.fill('nobody')
  await kind.fill('No')
  await text.fill('Too short.')
  await kind.focus()
  // The contract's tests prove each rule.
  await expect(page.getByText('Please provide a valid email address.')).toBeVisible()
  await expect(page.getByText('2 / 20')).toBeVisible()
  await expect(send).toBeDisabled()

  // Input survives a refused report.
  await email.fill('guest@people.example')
  await kind.fill(topic)
  await text.fill(`${WORDS}\nTwice.`)
  const json = { type: 'about:blank', title: 'Too many mails.', status: 429 }
  await intercept(page, '**/api/email/send', (route) => route.fulfill({ status: 429, json }))
  await send.click()
  const alert = page.getByRole('main').getByRole('alert')
  await expect(alert).toContainText('Too many mails.')
  await expect(alert).toBeFocused()
  await page.reload()
  await expect(text).toHaveValue(`${WORDS}\nTwice.`)
  await expect(email).toHaveValue('guest@people.example')
  await page.unroute('**/api/email/send')
  // The toast disappears after 2.5 seconds, so it is awaited in parallel.
  await Promise.all([
    expect(page.getByText('Thank you. We’ve got your report.')).toBeVisible(),
    expect(page).toHaveURL('/'),
    send.click(),
  ])
  // After sending, no draft remains.
  await page.goto('/report')
  await expect(text).toHaveValue('')

  const administrator = await registerAdministrator(server)
  const desk = await sit(administrator)
  await desk.goto('/admin/bugs')
  const row = desk.getByRole('row').filter({ hasText: topic })
  await expect(row).toContainText('Twice.')
  await expect(row.getByRole('link', { name: 'guest@people.example' })).toHaveAttribute(
    'href',
    'mailto:guest@people.example',
  )
  await row.getByRole('button', { name: 'Mark as done' }).press('Enter')
  await expect(row).toHaveCount(0)
  // The keyboard focus moves to the next report.
  await expect(desk.getByRole('button', { name: 'Mark as done: Another' })).toBeFocused()
  const shown = desk.getByRole('group', { name: 'State' })
  await shown.getByRole('link', { name: 'Done' }).click()
  await expect(row).toContainText(`Done by ${administrator.username}`)
  await row.getByRole('button', { name: 'Reopen' }).click()
  await expect(row).toHaveCount(0)
})

test('a learner writes to the owner of a lesson, and a lost response preserves the text', async ({
  page,
  server,
  shelf,
}) => {
  const { author, lesson, course } = shelf
  const learner = await registerBuyer(server, 500, `course/buy/${course}`)
  await signIn(page, server.url, learner)
  await visit(page, `/lesson/details/${lesson}`)
  await page.getByRole('tab', { name: 'Ask the author' }).click()
  await page.getByRole('link', { name: 'Write to the owner' }).click()
  await expect(page).toHaveURL(`/lesson/contact/${lesson}`)
  await expect(page.getByText(`To ${author.username}, about Plait 1`)).toBeVisible()
  await expect(page.getByLabel('Your e-mail')).toHaveValue(learner.email)
  // The owner's address is not revealed.
  expect(await page.content()).not.toContain(author.email)
  await page.getByLabel('Topic').fill('The last knot')
  await page.getByLabel('Message').fill('How do you tie')
  await expect(page.getByText('13 / 20')).toBeVisible()
  await expect(page.getByText('14 / 1000')).toBeVisible()
  // Drafts survive a reload.
  await stored(page, 'How do you tie')
  await page.reload()
  await expect(page.getByLabel('Message')).toHaveValue('How do you tie')
  await page.getByLabel('Message').fill('How do you tie the last one so that it holds in the rain?')
  await loseAnswer(page, '/api/email/send')
  const send = page.getByRole('button', { name: 'Send' })
  await send.click()
  await expect(page.getByRole('main').getByRole('alert')).toBeFocused()
  await expect(page.getByLabel('Message')).toHaveValue(/so that it holds in the rain/)
  await Promise.all([
    expect(page.getByText(`We’ve got your e-mail to ${author.username}`)).toBeVisible(),
    expect(page).toHaveURL(`/lesson/details/${lesson}`),
    send.click(),
  ])

  // The whole form works with the keyboard.
  await visit(page, `/lesson/contact/${lesson}`)
  await page.getByLabel('Your e-mail').focus()
  await page.keyboard.press('Tab')
  await page.keyboard.type('By key alone')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Without a mouse, and yet the letter arrives.')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Send' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/lesson/details/${lesson}`)
})
