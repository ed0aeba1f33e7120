/** Tests the navigation of the desk, and what administrators do to accounts. */
import { expect, once, test as base, visit } from './fixtures.ts'
import { register, registerAdministrator, type Registered } from './people.ts'

const test = base.extend<{ team: { readonly rosa: Registered; readonly sam: Registered } }>({
  team: once(async (server) => ({
    rosa: await registerAdministrator(server),
    sam: await register(server.url),
  })),
})

test('every page of the desk is reached from its navigation', async ({ sit, team }) => {
  const desk = await sit(team.rosa)
  await visit(desk, '/')
  await desk.getByRole('link', { name: 'Desk', exact: true }).click()
  await expect(desk.getByRole('heading', { level: 1, name: 'Numbers' })).toBeVisible()
  await expect(desk.getByRole('row', { name: /Database/ })).toContainText('Works')
  const links = desk.getByRole('navigation', { name: 'Administration' }).getByRole('link')
  const count = await links.count()
  expect(count).toBeGreaterThanOrEqual(14)
  for (let place = 1; place < count; place += 1) {
    const link = links.nth(place)
    await link.click()
    await expect(link).toHaveAttribute('aria-current', 'page')
    await expect(desk.getByRole('heading', { level: 1 })).toBeVisible()
  }
})

test('on a phone, the navigation is a sheet', async ({ sit, team }) => {
  const desk = await sit(team.rosa, { viewport: { width: 320, height: 700 } })
  await visit(desk, '/admin/people')
  const nav = desk.getByRole('navigation', { name: 'Administration' })
  await expect(nav.getByRole('link', { name: 'Jobs' })).toBeHidden()
  await nav.getByRole('button', { name: /People/ }).click()
  await nav.getByRole('link', { name: 'Jobs' }).click()
  await expect(desk.getByRole('heading', { level: 1, name: 'Jobs' })).toBeVisible()
  await expect(nav.getByRole('link', { name: 'Audit' })).toBeHidden()
  await desk.getByText(/^All kinds/).click()
  await expect(desk.getByRole('listitem').filter({ hasText: 'Send an e-mail' })).toBeVisible()
})

test('a person is found by address; a correction of points is told, and undone in the log', async ({
  sit,
  team,
}) => {
  const { rosa, sam } = team
  const desk = await sit(rosa)
  await visit(desk, '/admin/people')
  await desk.getByLabel('Name, e-mail or id').fill(sam.email.slice(0, -3))
  await desk.keyboard.press('Enter')
  await desk.getByRole('table').getByRole('link', { name: sam.username }).click()
  await expect(desk.getByRole('heading', { level: 1, name: sam.username })).toBeVisible()

  await desk.getByRole('button', { name: 'Correct points' }).click()
  const dialog = desk.getByRole('dialog')
  await dialog.getByLabel(/^Points to add/).fill('0')
  await expect(dialog.getByText(/^Enter a whole number/)).toBeVisible()
  await dialog.getByLabel(/^Points to add/).fill('75')
  await expect(dialog.getByText('From 0 to 75.')).toBeVisible()
  await dialog.getByLabel(/^Reason/).fill('Lost by a mistake')
  await dialog.getByRole('button', { name: 'Correct points' }).click()
  await expect(desk.getByText(`${sam.username} has 75 points now.`)).toBeVisible()
  await expect(desk.getByRole('row', { name: /A moderator corrected your points/ })).toContainText(
    'Lost by a mistake',
  )

  const entry = desk.getByRole('row', { name: /corrected the points of/ })
  await expect(entry).toContainText('+75')
  await entry.getByRole('button', { name: 'Undo' }).click()
  await dialog.getByLabel(/^Reason/).fill('It was right before')
  await dialog.getByRole('button', { name: 'Undo' }).click()
  await expect(desk.getByText(`${sam.username} has 0 points now.`)).toBeVisible()
  await expect(entry.getByRole('button', { name: 'Undo' })).toBeHidden()

  const page = await sit(sam)
  await visit(page, '/points')
  await expect(page.getByRole('row', { name: /A moderator corrected your points/ })).toHaveCount(2)
})

test('a role is given and taken', async ({ sit, team }) => {
  const { rosa, sam } = team
  const desk = await sit(rosa)
  const dialog = desk.getByRole('dialog')
  const change = async (step: string, reason: string) => {
    await desk.getByRole('button', { name: step }).click()
    await dialog.getByLabel(/^Reason/).fill(reason)
    await dialog.getByRole('button', { name: step }).click()
  }
  await visit(desk, `/admin/people/${sam.id}`)
  await change('Make an administrator', 'Helps with reports')
  await expect(desk.getByText(`${sam.username} is an administrator now.`)).toBeVisible()
  await expect(desk.getByRole('row', { name: /made .* an administrator/ })).toBeVisible()
  await change('End administrator’s rights', 'Moves on')
  await expect(desk.getByText(`${sam.username} is no longer an administrator.`)).toBeVisible()
})
