/** A lesson's page accepts messages from its own player only. */
import type { Page } from '@playwright/test'
import { expect, test, visit } from './fixtures.ts'
import { publish, register, signIn } from './people.ts'

const PLAYER = 'https://www.youtube-nocookie.com'
/** Messages of a player that was stopped after ten of twenty minutes. */
const SPOKEN = ['{"info":{"duration":1200}}', '{"info":{"currentTime":600,"playerState":2}}']
/** Messages that have neither the structure nor the values of a player's. */
const SHAPELESS: readonly unknown[] = [
  null,
  7,
  { info: { currentTime: 600, duration: 1200, playerState: 2 } },
  'no JSON',
  '[]',
  '{"info":"currentTime"}',
  '{"info":{"currentTime":"600","duration":"1200","playerState":2}}',
  '{"__proto__":{"info":{"currentTime":600,"duration":1200}}}',
]

/** Returns a page that posts messages to the top window, some immediately and some on a click. */
const speaker = (atOnce: readonly unknown[], atClick: readonly unknown[] = [], frames = '') => ({
  contentType: 'text/html',
  body: `<button>Watch</button>${frames}<script>
    const say = (messages) => messages.forEach((said) => top.postMessage(said, '*'))
    say(${JSON.stringify(atOnce)})
    addEventListener('click', () => say(${JSON.stringify(atClick)}))
  </script>`,
})

/**
 * Installs a player that sends malformed messages and contains two frames that imitate a player: one from its own
 * origin, one from a third. Its button sends correct messages.
 */
async function playHere(page: Page): Promise<void> {
  const frames = [`${PLAYER}/beside`, 'https://third.example/'].map(
    (address) => `<iframe src="${address}"></iframe>`,
  )
  const player = speaker(SHAPELESS, SPOKEN, frames.join(''))
  await page.route(/^https:\/\/(?:www\.youtube-nocookie\.com|third\.example)\//, (route) =>
    route.fulfill(route.request().url().includes('/embed/') ? player : speaker(SPOKEN)),
  )
}

test('what other windows say to the page moves nothing, and what the player says does', async ({
  page,
  server,
}) => {
  const author = await register(server.url)
  const lesson = await publish(server.url, author, { title: 'Whittling' })
  await signIn(page, server.url, author)
  await playHere(page)
  const places: (string | null)[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/progress/') && request.method() === 'PUT')
      places.push(request.postData())
  })
  const broken: string[] = []
  page.on('pageerror', ({ message }) => broken.push(message))
  await visit(page, `/lesson/details/${lesson}`)
  await page.getByRole('button', { name: 'Play the video' }).click()
  const player = page.frameLocator('iframe')
  for (const name of ['beside', 'third.example'])
    await expect(player.frameLocator(`iframe[src*="${name}"]`).getByRole('button')).toBeVisible()
  // The page itself also sends imitations, as injected code could.
  await page.evaluate((messages) => {
    for (const said of messages) window.postMessage(said, '*')
  }, SPOKEN)
  // Messages are delivered in order, so all earlier ones have been handled.
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        window.addEventListener('message', ({ data }) => data === 'heard' && resolve(null))
        window.postMessage('heard', '*')
      }),
  )
  await page.waitForTimeout(500)
  expect([places, broken]).toEqual([[], []])

  await player.getByRole('button').click()
  await expect.poll(() => places.join()).toContain('600')
  expect(broken).toEqual([])
})
