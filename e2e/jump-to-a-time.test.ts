/** A time in an article or comment starts the video there, in both languages. */
import type { Page } from '@playwright/test'
import { type MessageKey } from '#contract/messages/messages.ts'
import type { MessageValues } from '#contract/message.ts'
import { translate } from '#server/kernel/text/messages.ts'
import { expect, test as base, visit } from './fixtures.ts'
import { publish, register, type Registered, signIn } from './people.ts'

interface Timed {
  readonly author: Registered
  readonly lesson: number
}

const ARTICLE =
  '<h2>Tying it</h2><p>The loop is at 2:15 and the knot at <strong>1:02:05</strong>, not at 2:15 pm.</p>' +
  `<pre><code>sleep 0:30 # ${'a line that is wider than any phone '.repeat(3)}</code></pre>`

const test = base.extend<object, { timed: Timed }>({
  timed: [
    async ({ server }, use) => {
      const author = await register(server.url)
      const lesson = await publish(server.url, author, { title: 'Bowline', article: ARTICLE })
      const response = await fetch(`${server.url}/api/comment/create/${lesson}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${author.accessToken}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ text: 'Look at my thumb at 0:45.' }),
      })
      if (!response.ok) throw new Error(`the comment was answered ${response.status}`)
      await use({ author, lesson })
    },
    { scope: 'worker' },
  ],
})

/** Installs a player that reports its length and records seeks. */
async function playHere(page: Page): Promise<void> {
  await page.route('https://www.youtube-nocookie.com/**', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<ol></ol><script>
        const say = (text) => document.querySelector('ol').append(Object.assign(document.createElement('li'), { textContent: text }))
        addEventListener('message', ({ data }) => {
          const { event, func, args } = JSON.parse(data)
          if (event === 'command') say([func, ...args].join(' '))
          else parent.postMessage(JSON.stringify({ event: 'initialDelivery', info: { duration: 840 } }), '*')
        })
      </script>`,
    }),
  )
}

const say = (key: MessageKey, values?: MessageValues) => translate('en', key, values)

test(`times link to positions in the video`, async ({ browser, server, timed }) => {
  const context = await browser.newContext({ locale: 'en-GB' })
  const page = await context.newPage()
  await signIn(page, server.url, timed.author)
  await playHere(page)
  await visit(page, `/lesson/details/${timed.lesson}`)
  const time = (text: string) =>
    page.getByRole('button', { name: say('playFrom', { time: text }), exact: true })
  await expect(page.locator('.prose').getByRole('button')).toHaveText(['2:15', '1:02:05'])

  await time('2:15').focus()
  await page.keyboard.press('Enter')
  await expect(page.locator('iframe')).toHaveAttribute('src', /[?&]start=135(?:&|$)/)
  // The reader's focus stays on the link.
  await expect(time('2:15')).toBeFocused()
  const seeks = page.frameLocator('iframe').getByRole('listitem')
  await time('0:45').click()
  await expect(seeks).toHaveText(['seekTo 45 true', 'playVideo'])
  // The video is shorter than that.
  await time('1:02:05').click()
  await expect(seeks.nth(2)).toHaveText('seekTo 839 true')
  await time('2:15').click()
  await expect(seeks.nth(4)).toHaveText('seekTo 135 true')
  await expect(page.locator('iframe')).toHaveAttribute('src', /[?&]start=135(?:&|$)/)
  await context.close()
})

test('on a phone the playing video stays visible, and wide code does not widen the page', async ({
  page,
  server,
  timed,
}) => {
  await signIn(page, server.url, timed.author)
  await playHere(page)
  await page.setViewportSize({ width: 320, height: 640 })
  await visit(page, `/lesson/details/${timed.lesson}`)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
  await page.getByRole('button', { name: 'Play the video from 0:45' }).click()
  await expect(page.locator('iframe')).toHaveAttribute('src', /start=45/)
  await page.getByText('Look at my thumb').scrollIntoViewIfNeeded()
  await expect(page.locator('[data-player]')).toBeInViewport({ ratio: 0.99 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
})

test('the preview in a form has no time links', async ({ page, server, timed }) => {
  // Uses its own session, because other browsers have renewed the first one.
  await signIn(page, server.url, timed.author)
  await visit(page, `/lesson/edit/${timed.lesson}`)
  await expect(page.getByText('The loop is at 2:15')).toBeVisible()
  await expect(page.locator('button[data-jump]')).toHaveCount(0)
})
