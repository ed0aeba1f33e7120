/** Tests a certificate from the finished course to its end: a stranger reads and prints it. */
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { CERTIFICATE_NAME, COURSE_LESSONS, TITLE } from '#contract/limits.ts'
import { expect, intercept, once, overflowOf, test as base, visit } from './fixtures.ts'
import {
  call,
  publish,
  publishCourse,
  publishShelf,
  register,
  registerAdministrator,
  registerBuyer,
  type Shelf,
} from './people.ts'
import type { Server } from './server.ts'

const test = base.extend<{ made: Shelf }>({
  made: once(({ url }) => publishShelf(url, 'Хляб', { course: { title: 'Хляб с квас' } })),
})

/** Returns a person who unlocked the course and finished its first lessons. */
async function learner(server: Server, shelf: Pick<Shelf, 'lessons' | 'course'>, done: number) {
  const person = await registerBuyer(server, 500, `course/buy/${shelf.course}`)
  for (const id of shelf.lessons.slice(0, done))
    await call(server.url, person, 'PUT', `/progress/${id}`, { done: true })
  return person
}

const sheetOf = (page: Page) => page.getByRole('article')

/** Expects a single A4 page, dark on light, that contains nothing else and cuts nothing off. */
async function expectOneSheet(page: Page): Promise<void> {
  const pdf = (await page.pdf({ preferCSSPageSize: true, printBackground: true })).toString(
    'latin1',
  )
  expect(pdf.match(/\/Type\s*\/Page\b(?!s)/g)).toHaveLength(1)
  expect(/\/MediaBox\s*\[([^\]]*)\]/.exec(pdf)?.[1]).toMatch(/^0 0 59[45]\S* 84[12]\S*$/)
  await page.emulateMedia({ media: 'print' })
  const paper = sheetOf(page).locator('> div').first()
  await expect(paper).toHaveCSS('color', 'rgb(22, 29, 25)')
  const wrong = await paper.evaluate((sheet) => {
    const shown = [...document.querySelectorAll('body *')].filter(
      (element) =>
        element.closest('article') === null &&
        element.querySelector('article') === null &&
        element.getClientRects().length > 0 &&
        element.getBoundingClientRect().height > 1,
    )
    const { left, right, top, bottom } = sheet.getBoundingClientRect()
    const parts = [...sheet.querySelectorAll('h1, p, li, dl, svg, [role=img]')]
    const cut = parts.filter((part) => {
      const box = part.getBoundingClientRect()
      return box.left < left || box.right > right || box.top < top || box.bottom > bottom
    })
    const found = [...shown, ...cut].map(({ outerHTML }) => outerHTML.slice(0, 80))
    if (sheet.scrollHeight > sheet.clientHeight)
      found.push(`${sheet.scrollHeight} of ${sheet.clientHeight} pixels`)
    return found
  })
  expect(wrong).toEqual([])
  // Resets the emulation, because "screen" would also apply to printing.
  await page.emulateMedia({ media: null })
}

const robotsOf = (page: Page) => page.locator('meta[name=robots]')
const towards = (page: Page) => page.getByRole('region', { name: 'Certificate' })
const name = 'Nevena Hristova-Ilieva'

test('a finished course gives a certificate that a stranger reads and prints', async ({
  sit,
  server,
  made,
}) => {
  const { course, lessons } = made
  const page = await sit(await learner(server, made, 5))
  await visit(page, `/course/details/${course}/${lessons[5]}`)
  await expect(towards(page)).toContainText('5 of 6 done')
  await towards(page).getByText('What’s left for the certificate').click()
  await expect(towards(page).getByRole('listitem')).toHaveText(['Хляб 6 not done yet'])
  await page.getByRole('button', { name: 'Done with the last lesson' }).click()
  await expect(towards(page)).toContainText('Add your name to get the certificate.')
  await towards(page).getByRole('button', { name: 'Get the certificate' }).click()
  const dialog = page.getByRole('dialog')
  const field = dialog.getByRole('textbox', { name: 'Name', exact: true })
  const take = dialog.getByRole('button', { name: 'Get the certificate' })
  await expect(field).toHaveValue('')
  await field.fill('!!! 123')
  await take.click()
  await expect(dialog).toContainText('A name needs letters')
  // The entered name survives a network error.
  await field.fill(`  ${name} `)
  await intercept(page, '**/api/certificate/**', (route) => route.abort())
  await take.click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await expect(field).toHaveValue(`  ${name} `)
  await page.unroute('**/api/certificate/**')
  await field.press('Enter')
  await expect(page).toHaveURL(/\/certificate\/[0-9a-z]{26}$/)
  const finished = { name: 'You finished “Хляб с квас”' }
  await expect(page.getByRole('heading', finished)).toBeVisible()
  const path = new URL(page.url()).pathname

  // A guest with a dark theme on a phone.
  const guest = await sit(null, { viewport: { width: 320, height: 700 }, colorScheme: 'dark' })
  await visit(guest, path)
  const sheet = sheetOf(guest)
  await expect(sheet.getByText(name, { exact: true })).toBeVisible()
  await expect(sheet.getByRole('listitem')).toHaveText(
    lessons.map((_, place) => `Хляб ${place + 1}`),
  )
  await expect(sheet.getByRole('img', { name: new RegExp(`${path}$`) })).toBeVisible()
  await expect(robotsOf(guest)).toHaveAttribute('content', 'noindex')
  await guest.setViewportSize({ width: 1280, height: 900 })
  for (const reader of [guest, page]) await expectOneSheet(reader)

  // `server/items/certificates/credential` verifies it.
  await guest.getByText('How to verify it without us').click()
  const downloads = guest.waitForEvent('download')
  await guest.getByRole('link', { name: 'Download the credential' }).click()
  expect(await readFile(await (await downloads).path(), 'utf8')).toMatch(/^ey/)

  // Only the owner can allow search engines.
  await page.getByRole('checkbox', { name: 'Let search engines find it' }).check()
  await expect(page.getByText('Search engines can find your certificate now.')).toBeVisible()
  await guest.reload()
  await expect(robotsOf(guest)).toHaveCount(0)

  // The certificate is in the owner's list, and the course links to it.
  await visit(page, '/certificate/yours')
  await expect(page.getByRole('main').getByRole('listitem')).toContainText(name)
  await visit(page, `/course/details/${course}/${lessons[0]}`)
  await towards(page).getByRole('link', { name: 'See your certificate' }).click()
  await expect(page).toHaveURL(path)

  // A withdrawn certificate says so to everybody immediately.
  await page.getByRole('button', { name: 'Withdraw' }).click()
  await dialog.getByRole('button', { name: 'Withdraw' }).click()
  const ended = { name: 'This certificate was withdrawn' }
  await expect(page.getByRole('heading', ended)).toBeVisible()
  await guest.reload()
  await expect(guest.getByRole('heading', ended)).toBeVisible()
  await expect(guest.getByText(name)).toHaveCount(0)
  await expect(robotsOf(guest)).toHaveAttribute('content', 'noindex')
})

test('with reduced motion the seal appears at once; an administrator revokes it and its owner sees why', async ({
  sit,
  server,
  made,
}) => {
  const own = await sit(await learner(server, made, 6), { reducedMotion: 'reduce' })
  await visit(own, `/course/details/${made.course}`)
  await own.getByRole('button', { name: 'Get the certificate' }).click()
  const field = own.getByRole('dialog').getByRole('textbox')
  await field.fill(name)
  await field.press('Enter')
  const moment = own.getByRole('region', { name: 'You finished “Хляб с квас”' })
  const seal = moment.locator('svg').first()
  await expect(seal).toBeVisible()
  await expect(seal).toHaveCSS('animation-name', 'none')
  await expect(own.locator('canvas')).toHaveCount(0)
  const path = new URL(own.url()).pathname
  // The owner is on another page at that time.
  await visit(own, '/about')

  const page = await sit(await registerAdministrator(server))
  await visit(page, path)
  await page.getByRole('button', { name: 'Revoke' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('Bought the answers')
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByRole('heading', { name: 'This certificate was revoked' })).toBeVisible()

  const bell = own.getByRole('banner').getByRole('link', { name: 'Notifications, 1 unread' })
  await bell.click()
  const notices = own.getByRole('main').getByRole('listitem')
  await expect(notices).toHaveCount(1)
  await expect(notices).toContainText('Your certificate for “Хляб с квас” was revoked')
  await expect(notices).toContainText('Bought the answers')
  await visit(own, `/course/details/${made.course}/${made.lessons[0]}`)
  await expect(own.getByText('Your certificate for this course was revoked.')).toBeVisible()
})

test('a hundred lessons with the widest titles and the longest name fit on one sheet', async ({
  page,
  server,
}) => {
  test.setTimeout(120_000)
  const author = await register(server.url)
  const title = 'Щ'.repeat(TITLE.max)
  const lessons: number[] = []
  while (lessons.length < COURSE_LESSONS.max)
    lessons.push(
      ...(await Promise.all([1, 2, 3, 4].map(() => publish(server.url, author, { title })))),
    )
  const names = ['Щ'.repeat(CERTIFICATE_NAME.max), `${'Жужу '.repeat(11)}Щърб`]
  for (const [place, count] of [33, COURSE_LESSONS.max].entries()) {
    const held = lessons.slice(0, count)
    const course = await publishCourse(server.url, author, held, { title })
    const person = await learner(server, { course, lessons: held }, count)
    const { code } = await call<{ code: string }>(
      server.url,
      person,
      'POST',
      `/certificate/${course}`,
      { name: names[place] },
    )
    await visit(page, `/certificate/${code}`)
    await expect(sheetOf(page).getByRole('listitem')).toHaveCount(count)
    await expectOneSheet(page)
    await page.setViewportSize({ width: 320, height: 700 })
    expect(await overflowOf(page)).toBe(0)
  }
})
