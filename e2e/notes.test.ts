/** A learner writes a note at a second of the video, finds it by a word on another device, and goes to that second. */
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { type MessageKey } from '#contract/messages/messages.ts'
import type { MessageValues } from '#contract/message.ts'
import { translate } from '#server/kernel/text/messages.ts'
import { expect, test as base, visit } from './fixtures.ts'
import { publish, register, type Registered, signIn } from './people.ts'

const locale = 'en'

interface Noted {
  readonly learner: Registered
  readonly lesson: number
}

/** Each test has a learner of its own, who made the lesson that they note something on. */
const test = base.extend<{ noted: Noted }>({
  noted: async ({ server }, use) => {
    const learner = await register(server.url)
    const lesson = await publish(server.url, learner, { title: 'Sauerkraut' })
    await use({ learner, lesson })
  },
})

/** A player of 20 minutes that says the second that is pressed. */
async function playHere(context: BrowserContext): Promise<void> {
  await context.route('https://www.youtube-nocookie.com/**', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<button>135</button><button>700</button><script>
        const tell = (info) => parent.postMessage(JSON.stringify({ event: 'infoDelivery', info }), '*')
        addEventListener('message', () => tell({ duration: 1200 }))
        addEventListener('click', ({ target }) => tell({ currentTime: Number(target.textContent) }))
      </script>`,
    }),
  )
}

async function device(browser: Browser, locale: string, width: number): Promise<Page> {
  const context = await browser.newContext({
    locale: 'en-GB',
    viewport: { width, height: 844 },
  })
  await playHere(context)
  return context.newPage()
}

const say = (key: MessageKey, values?: MessageValues) => translate('en', key, values)

test(`a note leads back to its second from another device`, async ({
  browser,
  server,
  noted: { learner, lesson },
}) => {
  const laptop = await device(browser, locale, 1280)
  await signIn(laptop, server.url, learner)
  await visit(laptop, `/lesson/details/${lesson}`)
  await laptop.getByRole('button', { name: say('playVideo') }).click()
  await laptop.frameLocator('iframe').getByRole('button', { name: '135' }).click()

  const own = laptop.locator('details', { has: laptop.getByText('Your notes') })
  await own.locator('summary').click()
  const field = own.getByRole('textbox', { name: say('noteNew') })
  const save = own.getByRole('button', { name: say('noteSave') })
  await field.fill('a'.repeat(1001))
  await expect(save).toBeDisabled()
  await field.fill('')
  await field.fill('Two spoons of salt, СОЛ')
  await expect(own.getByText(say('noteAt', { time: '2:15' }))).toBeVisible()

  // The words stay when the network is cut, and are saved once.
  await laptop.route('**/api/note/create/**', (route) => route.abort())
  await save.click()
  await expect(own.getByRole('alert')).toBeVisible()
  await expect(field).toHaveValue('Two spoons of salt, СОЛ')
  await laptop.unroute('**/api/note/create/**')
  await save.click()
  const notes = own.getByRole('listitem')
  await expect(notes).toHaveCount(1)
  await expect(field).toHaveValue('')
  await expect(notes.getByRole('button', { name: say('playFrom', { time: '2:15' }) })).toBeVisible()

  // One of the whole lesson, without a second.
  await field.fill('Again in spring')
  await own.getByRole('button', { name: say('noteNoTime') }).click()
  await save.click()
  await expect(notes).toHaveCount(2)
  await expect(own.locator('summary')).toContainText('2')

  const phone = await device(browser, locale, 320)
  await signIn(phone, server.url, learner)
  await visit(phone, '/notes')
  await expect(phone.getByRole('main').getByRole('status').first()).toHaveText(
    say('notesFound', { total: 2 }),
  )
  const width = await phone.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBeLessThanOrEqual(320)
  const search = phone.getByRole('searchbox', { name: say('notesSearch') })
  await search.fill('сол')
  await search.press('Enter')
  await expect(phone).toHaveURL(/\/notes\?search=/)
  await expect(phone.getByRole('main').getByRole('listitem')).toHaveCount(1)
  const there = say('noteOpenAt', { title: 'Sauerkraut', time: '2:15' })
  await phone.getByRole('link', { name: there }).click()
  await expect(phone.locator('iframe')).toHaveAttribute('src', /[?&]start=135(?:&|$)/)
  await laptop.context().close()
  await phone.context().close()
})

test(`a note is changed and deleted where all of them stand`, async ({
  browser,
  server,
  noted: { learner, lesson },
}) => {
  const response = await fetch(`${server.url}/api/note/create/${lesson}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${learner.accessToken}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ text: 'First words' }),
  })
  expect(response.status).toBe(200)
  const page = await device(browser, locale, 1280)
  await signIn(page, server.url, learner)
  await visit(page, '/notes?search=nothing+such')
  await expect(page.getByText(say('notesNotFound', { search: 'nothing such' }))).toBeVisible()
  await visit(page, '/notes')
  const main = page.getByRole('main')
  await main.getByRole('button', { name: say('edit') }).click()
  const field = main.getByRole('textbox', { name: say('noteChange') })
  await expect(field).toBeFocused()
  await expect(field).toHaveValue('First words')
  await field.fill('Other words')
  await field.press('Control+Enter')
  await expect(main.getByText('Other words')).toBeVisible()
  await expect(main.getByText(say('noteEdited'))).toBeVisible()
  await page.reload()
  await expect(main.getByText('Other words')).toBeVisible()

  await main.getByRole('button', { name: say('delete') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: say('noteDelete') })
    .click()
  await expect(main.getByText('Other words')).toHaveCount(0)
  await visit(page, '/notes')
  await expect(main.getByText(say('notesNone'))).toBeVisible()
  await page.context().close()
})

test('an address with a second starts no player by itself', async ({
  browser,
  server,
  noted: { learner, lesson },
}) => {
  const page = await device(browser, 'en', 1280)
  await signIn(page, server.url, learner)
  await visit(page, `/lesson/details/${lesson}#t=135`)
  const button = page.getByRole('button', { name: 'Continue at 2:15' })
  await expect(button).toBeVisible()
  await expect(page.locator('iframe')).toHaveCount(0)
  await button.click()
  await expect(page.locator('iframe')).toHaveAttribute('src', /[?&]start=135(?:&|$)/)
  await page.context().close()
})
