/** A time in an article or comment starts the video there. */
import { expect, once, overflowOf, test as base, visit } from './fixtures.ts'
import { call, publish, register, type Registered, signIn } from './people.ts'
import { playHere } from './player.ts'

interface Timed {
  readonly author: Registered
  readonly lesson: number
}

const ARTICLE =
  '<h2>Tying it</h2><p>The loop is at 2:15 and the knot at <strong>1:02:05</strong>, not at 2:15 pm.</p>' +
  `<pre><code>sleep 0:30 # ${'a line that is wider than any phone '.repeat(3)}</code></pre>`

const test = base.extend<{ timed: Timed }>({
  timed: once(async ({ url }) => {
    const author = await register(url)
    const lesson = await publish(url, author, { title: 'Bowline', article: ARTICLE })
    const text = 'Look at my thumb at 0:45.'
    await call(url, author, 'POST', `/comment/create/${lesson}`, { text })
    return { author, lesson }
  }),
})

test('times link to positions in the video, except in the preview of a form', async ({
  page,
  server,
  timed,
}) => {
  await signIn(page, server.url, timed.author)
  await playHere(page)
  await visit(page, `/lesson/details/${timed.lesson}`)
  const time = (text: string) =>
    page.getByRole('button', { name: `Play the video from ${text}`, exact: true })
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
  await expect(seeks.nth(2)).toHaveText('seekTo 1199 true')
  await time('2:15').click()
  await expect(seeks.nth(4)).toHaveText('seekTo 135 true')
  await expect(page.locator('iframe')).toHaveAttribute('src', /[?&]start=135(?:&|$)/)

  await visit(page, `/lesson/edit/${timed.lesson}`)
  await expect(page.getByText('The loop is at 2:15')).toBeVisible()
  await expect(page.locator('button[data-jump]')).toHaveCount(0)
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
  expect(await overflowOf(page)).toBe(0)
  await page.getByRole('button', { name: 'Play the video from 0:45' }).click()
  await expect(page.locator('iframe')).toHaveAttribute('src', /start=45/)
  await page.getByText('Look at my thumb').scrollIntoViewIfNeeded()
  await expect(page.locator('[data-player]')).toBeInViewport({ ratio: 0.99 })
  expect(await overflowOf(page)).toBe(0)
})
