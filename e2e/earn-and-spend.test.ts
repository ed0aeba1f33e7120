/** The product's story in a browser: register, publish, earn, be refused for lack of points, earn, unlock, use. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { type Locale, type MessageKey } from '#contract/messages/messages.ts'
import type { MessageValues } from '#contract/message.ts'
import { translate } from '#server/kernel/text/messages.ts'
import { balanceOf, expect, test, writePicture } from './fixtures.ts'
import { newPerson, type NewPerson } from './people.ts'

const locale = 'en'

type Say = (key: MessageKey, values?: MessageValues) => string

const ARTICLE: Readonly<Record<Locale, string>> = {
  en: 'A knot holds because rope rubs on rope. Tie it slowly, dress it, and pull every end tight before you trust it.',
  bg: 'Възелът държи, защото въжето се трие във въже. Вържете го бавно, подредете го и затегнете всеки край.',
}

const say: Say = (key, values) => translate('en', key, values)

test.describe(`the main job`, () => {
  test.use({ locale: 'en-GB' })

  test('a stranger publishes, earns, unlocks and uses a lesson', async ({ browser }, info) => {
    const picture = await writePicture(info.outputDir)
    const author = await (await browser.newContext({ acceptDownloads: true })).newPage()
    await register(author, say, newPerson(), picture)
    await expect.poll(() => balanceOf(author)).toBe(0)
    const lesson = await publish(author, say, {
      picture,
      locale,
      folder: info.outputDir,
      title: 'Bowline',
    })
    await expect.poll(() => balanceOf(author)).toBe(100)

    const learner = await (await browser.newContext({ acceptDownloads: true })).newPage()
    await register(learner, say, newPerson(), picture)
    await learner.goto(lesson)
    await expect(learner.getByText(say('pointsMissing', { missing: '100' }))).toBeVisible()
    await expect(
      learner.getByRole('button', { name: say('unlockFor', { price: '100' }) }),
    ).toHaveCount(0)

    await publish(learner, say, { picture, locale, folder: info.outputDir, title: 'Clove hitch' })
    await expect.poll(() => balanceOf(learner)).toBe(100)
    await learner.goto(lesson)
    await learner.getByRole('button', { name: say('unlockFor', { price: '100' }) }).click()
    const dialog = learner.getByRole('dialog')
    await expect(dialog).toContainText(say('youKeep'))
    await expect(dialog).toContainText(say('authorGets', { share: '10' }))
    await Promise.all([
      expect(learner.getByText(say('successBoughtLesson'))).toBeVisible(),
      expect(learner).toHaveURL(/\/lesson\/bought$/),
      dialog.getByRole('button', { name: say('unlockFor', { price: '100' }) }).click(),
    ])
    await expect.poll(() => balanceOf(learner)).toBe(0)

    await author.goto('/points')
    await expect.poll(() => balanceOf(author)).toBe(110)
    await expect(author.getByRole('table').getByRole('link', { name: 'Bowline' })).toHaveCount(2)
    await expect(
      author.getByText(say('pointsShare', { percent: '10', most: '1,000' })),
    ).toBeVisible()

    await learner
      .getByRole('link', { name: /Bowline/ })
      .first()
      .click()
    await useLesson(learner, say, locale)
  })
})

async function register(page: Page, say: Say, person: NewPerson, picture: string): Promise<void> {
  await page.goto('/register')
  await page.getByLabel(say('usernameLabel'), { exact: false }).first().fill(person.username)
  await page.locator('input[name=email]').fill(person.email)
  await page.locator('input[name=password]').fill(person.password)
  await page.locator('input[name=rePassword]').fill(person.password)
  await page.locator('input[type=file]').setInputFiles(picture)
  await page
    .locator('main')
    .getByRole('button', { name: say('registerSubmit') })
    .click()
  await expect(page).toHaveURL(/\/$/)
  await expect(page.locator('[data-balance]').first()).toBeVisible()
}

interface Publication {
  readonly picture: string
  readonly locale: Locale
  readonly folder: string
  readonly title: string
}

/** Fills the whole form, resource included; answers the lesson's address. */
async function publish(
  page: Page,
  say: Say,
  { picture, locale, folder, title }: Publication,
): Promise<string> {
  await page.goto('/lesson/create')
  const button = page.getByRole('button', { name: say('publishEarn', { reward: '100' }) })
  await expect(button).toBeDisabled()
  await page.locator('input[name=title]').fill(title)
  await page.locator('input[name=description]').fill('How to tie it and when to trust it')
  const id = `${title.replaceAll(/\W/g, '')}-${locale}-____________`.slice(0, 11)
  await page.locator('input[name=video]').fill(`https://youtu.be/${id}`)
  await page.locator('input[name=video]').blur()
  await expect(page.locator('input[name=video]')).toHaveValue(`https://www.youtube.com/embed/${id}`)
  await page.locator('input[type=file]').first().setInputFiles(picture)
  const tags = page.getByPlaceholder(say('addTag'))
  await tags.fill('knots, rope')
  await tags.press('Enter')
  const file = join(folder, 'template.txt')
  await writeFile(file, 'the folding template')
  await page.locator('input[type=file]').nth(1).setInputFiles(file)
  await expect(page.getByText(say('uploadDone'))).toBeVisible()
  const editor = page.locator('.ProseMirror')
  await editor.click()
  await page.keyboard.type(`${title}. ${ARTICLE[locale]}`)
  await expect(button).toBeEnabled()
  // The line passes in 2.5 seconds, so it is looked for while the page is on its way.
  await Promise.all([
    expect(page.getByText(say('successCreatedLesson'))).toBeVisible(),
    expect(page).toHaveURL(/\/lesson\/details\/\d+$/),
    button.click(),
  ])
  return new URL(page.url()).pathname
}

/** Watches, reads and downloads. Nothing foreign is asked for before the click on play. */
async function useLesson(page: Page, say: Say, locale: Locale): Promise<void> {
  const foreign: string[] = []
  page.on('request', (request) => {
    if (
      new URL(request.url()).host !== new URL(page.url()).host &&
      request.url().startsWith('http')
    )
      foreign.push(request.url())
  })
  await expect(page.locator('.prose')).toContainText(ARTICLE[locale].slice(0, 40))
  await page.reload()
  await expect(page.locator('.prose')).toContainText(ARTICLE[locale].slice(0, 40))
  expect(foreign).toEqual([])
  await page.route('https://www.youtube-nocookie.com/**', (route) =>
    route.fulfill({ body: '<p>player</p>', contentType: 'text/html' }),
  )
  await page.getByRole('button', { name: say('playVideo') }).click()
  await expect(page.locator('iframe')).toHaveAttribute(
    'src',
    /^https:\/\/www\.youtube-nocookie\.com\/embed\//,
  )
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByText(say('download')).click(),
  ])
  expect(await readFile(await download.path(), 'utf8')).toBe('the folding template')
}
