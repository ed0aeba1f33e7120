/** Tests mails that people write: a guest's problem report, and a learner's letter to an owner. */
import { givePoints } from './database.ts'
import { expect, intercept, loseAnswer, stored, visit } from './fixtures.ts'
import { call, grantAdministration, register, signIn } from './people.ts'
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
  for (const rule of [
    'Please provide a valid email address.',
    'The length of the topic must be a minimum of 3 and a maximum of 20 characters. 2 characters: add 1 more.',
    'The length of the text must be a minimum of 30 and a maximum of 1000 characters.',
    '2 / 20',
  ])
    await expect(page.getByText(rule)).toBeVisible()
  await kind.fill('x'.repeat(24))
  await expect(page.getByText('24 characters: remove 4.')).toBeVisible()
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

  const administrator = await register(server.url)
  await grantAdministration(server.dataDir, administrator)
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
  await desk.getByRole('button', { name: 'Undo' }).click()
  await row.getByRole('button', { name: 'Mark as done' }).click()
  await expect(row).toHaveCount(0)
  const shown = desk.getByRole('group', { name: 'Which problems' })
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
  const learner = await register(server.url)
  await givePoints(server.dataDir, learner.id, 500)
  await call(server.url, learner, 'POST', `/course/buy/${course}`)
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

  // From an open lesson of a course, with the keyboard.
  await visit(page, `/course/details/${course}`)
  await page.getByRole('tab', { name: 'Ask the author' }).press('Enter')
  const link = page.getByRole('link', { name: 'Write to the owner' })
  await link.focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/lesson/contact/${lesson}`)
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

test('owners have no such link and form, and a missing lesson has no owner', async ({
  page,
  server,
  shelf,
}) => {
  await signIn(page, server.url, shelf.author)
  await page.goto(`/lesson/details/${shelf.lesson}`)
  await expect(page.getByRole('heading', { name: 'Plait 1', level: 1 })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Write to the owner' })).toHaveCount(0)
  await page.goto(`/lesson/contact/${shelf.lesson}`)
  await expect(page.getByText('This is your own lesson')).toBeVisible()
  await expect(page.locator('main form')).toHaveCount(0)
  await page.getByRole('link', { name: 'Back to the lesson' }).click()
  await expect(page).toHaveURL(`/lesson/details/${shelf.lesson}`)
  const response = await page.goto('/lesson/contact/999999')
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading')).toHaveText('Lesson not found or deleted (sorry)')
})
