/** Tests a note at a video position that a learner finds by search on another device. */
import { expect, intercept, test, visit } from './fixtures.ts'
import { publish, register, signIn } from './people.ts'
import { playHere, press } from './player.ts'

test('a note links to its position on another device, and is edited and deleted there', async ({
  page: laptop,
  sit,
  server,
}) => {
  const learner = await register(server.url)
  const lesson = await publish(server.url, learner, { title: 'Sauerkraut' })
  await playHere(laptop)
  await signIn(laptop, server.url, learner)
  await visit(laptop, `/lesson/details/${lesson}`)
  await laptop.getByRole('button', { name: 'Play the video' }).click()
  await press(laptop, '135')
  const own = laptop.getByRole('tabpanel', { name: 'Your notes' })
  await laptop.getByRole('tab', { name: 'Your notes' }).click()
  const field = own.getByRole('textbox', { name: 'New note' })
  const save = own.getByRole('button', { name: 'Save note' })
  await field.fill('a'.repeat(1001))
  await expect(save).toBeDisabled()
  await field.fill('')
  await field.fill('Two spoons of salt, СОЛ')
  await expect(own.getByText('At 2:15 of the video')).toBeVisible()

  // The text survives a network error and is saved once.
  await intercept(laptop, '**/api/note/create/**', (route) => route.abort())
  await save.click()
  await expect(own.getByRole('alert')).toBeVisible()
  await expect(field).toHaveValue('Two spoons of salt, СОЛ')
  await laptop.unroute('**/api/note/create/**')
  await save.click()
  const notes = own.getByRole('listitem')
  await expect(notes).toHaveCount(1)
  await expect(field).toHaveValue('')
  await expect(notes.getByRole('button', { name: 'Play the video from 2:15' })).toBeVisible()
  // A note about the whole lesson without a position.
  await field.fill('Again in spring')
  await own.getByRole('button', { name: 'Without the time' }).click()
  await save.click()
  await expect(notes).toHaveCount(2)

  const phone = await sit(learner, { viewport: { width: 320, height: 844 } })
  await playHere(phone)
  await visit(phone, '/notes?search=nothing+such')
  await expect(phone.getByText('contains “nothing such”.')).toBeVisible()
  const main = phone.getByRole('main')
  const search = phone.getByRole('searchbox', { name: 'Search your notes' })
  await search.fill('сол')
  await search.press('Enter')
  await expect(phone).toHaveURL(/\/notes\?search=/)
  await expect(main.getByRole('listitem')).toHaveCount(1)
  const starts = () =>
    expect(phone.locator('iframe')).toHaveAttribute('src', /[?&]start=135(?:&|$)/)
  await main.getByRole('link', { name: 'Open “Sauerkraut” at 2:15' }).click()
  await starts()
  await visit(phone, '/notes')
  await expect(main.getByRole('status').first()).toHaveText('2 notes')
  // A URL with a position doesn't load the player automatically.
  await visit(phone, `/lesson/details/${lesson}#t=135`)
  const goOn = phone.getByRole('button', { name: 'Continue at 2:15' })
  await expect(goOn).toBeVisible()
  await expect(phone.locator('iframe')).toHaveCount(0)
  await goOn.click()
  await starts()

  await visit(phone, '/notes')
  const spring = main.getByRole('listitem').filter({ hasText: 'Again in spring' })
  await spring.getByRole('button', { name: 'Edit' }).click()
  const change = main.getByRole('textbox', { name: 'Edit your note' })
  await expect(change).toBeFocused()
  await expect(change).toHaveValue('Again in spring')
  await change.fill('Again in autumn')
  await change.press('Control+Enter')
  await expect(main.getByText('edited')).toBeVisible()
  await phone.reload()
  await expect(main.getByText('Again in autumn')).toBeVisible()
  for (let left = 2; left > 0; left -= 1) {
    await main.getByRole('button', { name: 'Delete' }).first().click()
    await phone.getByRole('dialog').getByRole('button', { name: 'Delete note' }).click()
    await expect(main.getByRole('button', { name: 'Delete' })).toHaveCount(left - 1)
  }
  await visit(phone, '/notes')
  await expect(main.getByText('No notes yet')).toBeVisible()
})
