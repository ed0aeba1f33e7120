/** A learner finishes a course and takes the certificate; a stranger reads it, verifies it, prints it, and sees it end. */
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { decodeProtectedHeader, importJWK, jwtVerify, type JWK } from 'jose'
import { CERTIFICATE_NAME, COURSE_LESSONS, TITLE } from '#contract/limits.ts'
import { type MessageKey } from '#contract/messages/messages.ts'
import type { MessageValues } from '#contract/message.ts'
import { translate } from '#server/kernel/text/messages.ts'
import { expect, test as base, visit } from './fixtures.ts'
import {
  call,
  grantAdministration,
  publish,
  publishCourse,
  register,
  type Registered,
  signIn,
} from './people.ts'

const locale = 'en'

interface Made {
  readonly lessons: readonly number[]
  readonly course: number
}

const test = base.extend<object, { made: Made }>({
  made: [
    async ({ server }, use) => {
      const author = await register(server.url)
      const lessons: number[] = []
      for (let place = 1; place <= 6; place += 1)
        lessons.push(await publish(server.url, author, { title: `Хляб ${place}` }))
      const course = await publishCourse(server.url, author, lessons, { title: 'Хляб с квас' })
      await use({ lessons, course })
    },
    { scope: 'worker' },
  ],
})

/** Somebody who unlocked the course and ticked off the first lessons of it. */
async function learner(url: string, { course, lessons }: Made, done: number): Promise<Registered> {
  const person = await register(url)
  for (let count = 0; count < 5; count += 1) await publish(url, person)
  await call(url, person, 'POST', `/course/buy/${course}`)
  for (const id of lessons.slice(0, done))
    await call(url, person, 'PUT', `/progress/${id}`, { done: true })
  return person
}

function contextOf(browser: Browser, locale: string, width = 1280): Promise<BrowserContext> {
  return browser.newContext({
    locale: 'en-GB',
    viewport: { width, height: 900 },
  })
}

/** By the published key alone. */
async function verify(url: string, jwt: string) {
  const did = (await (await fetch(`${url}/.well-known/did.json`)).json()) as {
    id: string
    verificationMethod: { id: string; publicKeyJwk: JWK }[]
  }
  const { kid } = decodeProtectedHeader(jwt)
  const method = did.verificationMethod.find(({ id }) => id === kid)
  const key = await importJWK(method?.publicKeyJwk ?? {}, 'EdDSA')
  return (await jwtVerify(jwt, key, { issuer: did.id })).payload
}

const pagesIn = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length
const boxOf = (pdf: Buffer) => /\/MediaBox\s*\[([^\]]*)\]/.exec(pdf.toString('latin1'))?.[1]

/** What of the sheet would be cut off: what leaves it, and what leaves its own box. */
function cutIn(sheet: HTMLElement): string[] {
  const { left, right, top, bottom } = sheet.getBoundingClientRect()
  const cut = [...sheet.querySelectorAll('h1, p, li, dl, footer svg')].filter((part) => {
    const box = part.getBoundingClientRect()
    return box.left < left || box.right > right || box.top < top || box.bottom > bottom
  })
  const found = cut.map(({ outerHTML }) => outerHTML.slice(0, 80))
  if (sheet.scrollHeight > sheet.clientHeight)
    found.push(`${sheet.scrollHeight} of ${sheet.clientHeight} pixels`)
  return found
}

/** Anything but the certificate that paper would show. */
const besideIt = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .filter((element) => element.closest('article') === null)
      .filter((element) => element.querySelector('article') === null)
      .filter((element) => element.getClientRects().length > 0)
      .filter((element) => element.getBoundingClientRect().height > 1)
      .map((element) => element.outerHTML.slice(0, 80)),
  )

const robotsOf = (page: Page) => page.locator('meta[name=robots]')

const say = (key: MessageKey, values?: MessageValues) => translate('en', key, values)
const name = 'Nevena Hristova-Ilieva'

test(`a finished course becomes a certificate that a stranger reads and verifies`, async ({
  browser,
  server,
  made,
}) => {
  const { course, lessons } = made
  const person = await learner(server.url, made, 5)
  const own = await contextOf(browser, locale)
  const page = await own.newPage()
  await signIn(page, server.url, person)
  await visit(page, `/course/details/${course}/${lessons[5]}`)
  const towards = page.locator('section[aria-labelledby=towards-certificate]')
  await expect(towards.getByText(say('certificateTowards', { done: 5, total: 6 }))).toBeVisible()
  await towards.getByText(say('certificateMissing')).click()
  await expect(towards.getByRole('listitem')).toHaveText([`Хляб 6 ${say('certificateNotDone')}`])
  await expect(towards.getByRole('button', { name: say('certificateTake') })).toHaveCount(0)

  await page.getByRole('button', { name: say('courseDoneLast') }).click()
  await expect(towards.getByText(say('certificateReady'))).toBeVisible()
  await towards.getByRole('button', { name: say('certificateTake') }).click()
  const dialog = page.getByRole('dialog')
  const field = dialog.getByRole('textbox', { name: say('certificateName'), exact: true })
  const take = dialog.getByRole('button', { name: say('certificateTake') })
  await expect(field).toHaveValue('')
  await take.click()
  await expect(dialog.getByText(say('certificateNameLength', { min: 2, max: 60 }))).toBeVisible()
  await field.fill('!!! 123')
  await expect(dialog.getByText(say('certificateNameLetters'))).toBeVisible()
  // The name stays when the network is cut.
  await field.fill(`  ${name} `)
  await page.route('**/api/certificate/**', (route) => route.abort())
  await take.click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await expect(field).toHaveValue(`  ${name} `)
  await page.unroute('**/api/certificate/**')
  await field.press('Enter')
  await expect(page).toHaveURL(/\/certificate\/[0-9a-z]{26}$/)
  const moment = page.getByRole('heading', {
    name: say('certificateMoment', { course: 'Хляб с квас' }),
  })
  await expect(moment).toBeVisible()
  const path = new URL(page.url()).pathname

  // A stranger, in a dark room, on a phone.
  const strange = await browser.newContext({
    locale: 'en-GB',
    viewport: { width: 320, height: 700 },
    colorScheme: 'dark',
  })
  const guest = await strange.newPage()
  await visit(guest, server.url + path)
  const sheet = guest.getByRole('article')
  await expect(sheet.getByText(name, { exact: true })).toBeVisible()
  await expect(sheet.getByRole('listitem')).toHaveText(
    lessons.map((_, place) => `Хляб ${place + 1}`),
  )
  await expect(sheet.getByRole('img', { name: new RegExp(`${path}$`) })).toBeVisible()
  await expect(moment).toBeVisible()
  await expect(robotsOf(guest)).toHaveAttribute('content', 'noindex')
  await expect(guest.locator('meta[property="og:image"]')).toHaveAttribute(
    'content',
    /\/share\/certificate-\d+\.jpg$/,
  )
  const width = await guest.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(320)
  await guest.setViewportSize({ width: 1280, height: 900 })

  // One sheet of A4, light, with nothing else on it.
  for (const [from, shown] of [
    [guest, 'stranger'],
    [page, 'owner'],
  ] as const) {
    const pdf = await from.pdf({ preferCSSPageSize: true, printBackground: true })
    expect([shown, pagesIn(pdf)]).toEqual([shown, 1])
    expect(boxOf(pdf)).toMatch(/^0 0 59[45]\S* 84[12]\S*$/)
    await from.emulateMedia({ media: 'print' })
    expect(await besideIt(from)).toEqual([])
    const paper = await from
      .locator('article > div')
      .evaluate((element) => [
        getComputedStyle(element).color,
        element.scrollHeight <= element.clientHeight,
      ])
    expect(paper).toEqual(['rgb(22, 29, 25)', true])
    await from.emulateMedia({ media: 'screen' })
  }

  // The credential is verified without asking us more than the key.
  await guest.getByText(say('certificateVerifyHow')).click()
  const link = guest.getByRole('link', { name: say('certificateDownload') })
  const jwt = await (await fetch(server.url + ((await link.getAttribute('href')) ?? ''))).text()
  const credential = await verify(server.url, jwt)
  expect(credential['jti']).toBe(server.url + path)
  expect(JSON.stringify(credential)).toContain(name)

  // Search engines are let in by the owner alone.
  await page.getByRole('checkbox', { name: say('certificateListed') }).check()
  await expect(page.getByText(say('certificateListedYes'))).toBeVisible()
  await guest.reload()
  await expect(robotsOf(guest)).toHaveCount(0)

  // Their list of certificates has it, and the course now links to it.
  await visit(page, '/certificate/yours')
  await expect(page.getByRole('main').getByRole('listitem')).toContainText(name)
  await visit(page, `/course/details/${course}/${lessons[0]}`)
  await towards.getByRole('link', { name: say('certificateShow') }).click()
  await expect(page).toHaveURL(path)

  // Withdrawn, it says so to everybody at once.
  await page.getByRole('button', { name: say('certificateWithdraw') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: say('certificateWithdraw') })
    .click()
  const ended = { name: say('certificateEndedWithdrawn') }
  await expect(page.getByRole('heading', ended)).toBeVisible()
  await guest.reload()
  await expect(guest.getByRole('heading', ended)).toBeVisible()
  await expect(guest.getByText(name)).toHaveCount(0)
  await expect(robotsOf(guest)).toHaveAttribute('content', 'noindex')
  await own.close()
  await strange.close()
})

test(`an administrator revokes one, and the log says why`, async ({ browser, server, made }) => {
  const person = await learner(server.url, made, 6)
  const taken = await call<{ code: string }>(
    server.url,
    person,
    'POST',
    `/certificate/${made.course}`,
    { name },
  )
  const path = `/certificate/${taken.code ?? ''}`
  const administrator = await register(server.url)
  await grantAdministration(server.dataDir, administrator)
  // Its owner reads something else meanwhile.
  const own = await (await contextOf(browser, locale)).newPage()
  await signIn(own, server.url, person)
  await visit(own, '/about')
  const bell = (count: number) =>
    own.getByRole('banner').getByRole('link', { name: say('noticesBell', { count }), exact: true })
  await expect(bell(0)).toBeVisible()
  const context = await contextOf(browser, locale)
  const page = await context.newPage()
  await signIn(page, server.url, administrator)
  await visit(page, path)
  await page.getByRole('button', { name: say('certificateRevoke') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('Bought the answers')
  await dialog.getByRole('button', { name: say('certificateRevoke') }).click()
  await expect(page.getByRole('heading', { name: say('certificateEndedRevoked') })).toBeVisible()
  await visit(page, '/admin/log')
  const line = page.getByRole('row').filter({ hasText: 'Bought the answers' }).first()
  await expect(line).toContainText('Хляб с квас')
  await expect(line).toContainText(person.username)

  // The owner gets the reason as a notice and can't take another certificate.
  await expect(bell(1)).toBeVisible({ timeout: 10_000 })
  await bell(1).click()
  const told = own.getByRole('main').getByRole('listitem')
  await expect(told).toHaveCount(1)
  await expect(told).toContainText(say('noticeCertificate', { title: 'Хляб с квас' }))
  await expect(told).toContainText('Bought the answers')
  await visit(own, `/course/details/${made.course}/${made.lessons[0]}`)
  await expect(own.getByText(say('certificateWasRevoked'))).toBeVisible()
  await own.context().close()
  await context.close()
})

test('a hundred lessons of the widest titles and the longest name stay on one sheet', async ({
  browser,
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
    const person = await learner(server.url, { course, lessons: held }, count)
    const taken = await call<{ code: string }>(
      server.url,
      person,
      'POST',
      `/certificate/${course}`,
      {
        name: names[place],
      },
    )
    const context = await contextOf(browser, 'bg')
    const page = await context.newPage()
    for (const who of ['guest', 'owner'] as const) {
      if (who === 'owner') await signIn(page, server.url, person)
      await visit(page, `${server.url}/certificate/${taken.code ?? ''}`)
      await expect(page.getByRole('article').getByRole('listitem')).toHaveCount(count)
      const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true })
      expect([who, pagesIn(pdf)]).toEqual([who, 1])
      await page.emulateMedia({ media: 'print' })
      expect(await page.locator('article > div').evaluate(cutIn), who).toEqual([])
      // Not "screen": paper would be printed so.
      await page.emulateMedia({ media: null })
      await page.setViewportSize({ width: 320, height: 700 })
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(width).toBeLessThanOrEqual(320)
      await page.setViewportSize({ width: 1280, height: 900 })
    }
    await context.close()
  }
})

test('with less motion the seal lies there at once', async ({ browser, server, made }) => {
  const person = await learner(server.url, made, 6)
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  const page = await context.newPage()
  await signIn(page, server.url, person)
  await visit(page, `/course/details/${made.course}`)
  await page.getByRole('button', { name: 'Take the certificate' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('Calm Person')
  await page.getByRole('dialog').getByRole('textbox').press('Enter')
  const seal = page.locator('section[aria-labelledby=certificate-moment] > div > svg')
  await expect(seal).toBeVisible()
  expect(await seal.evaluate((element) => getComputedStyle(element).animationName)).toBe('none')
  await expect(page.locator('canvas[aria-hidden]')).toHaveCount(0)
  await context.close()
})
