/** The page of a lesson hears its own player, and no other window that talks like one. */
import type { Page } from '@playwright/test'
import { expect, test, visit } from './fixtures.ts'
import { publish, register, signIn } from './people.ts'

const PLAYER = 'https://www.youtube-nocookie.com'
/** What a player says that was watched to the tenth minute of twenty, and was stopped there. */
const SPOKEN = ['{"info":{"duration":1200}}', '{"info":{"currentTime":600,"playerState":2}}']
/** What no player says: neither shapes nor numbers of one. */
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

/** A page that speaks to the one above all frames: what it says at once, and at a click. */
const speaker = (atOnce: readonly unknown[], atClick: readonly unknown[] = [], frames = '') => ({
  contentType: 'text/html',
  body: `<button>Watch</button>${frames}<script>
    const say = (messages) => messages.forEach((said) => top.postMessage(said, '*'))
    say(${JSON.stringify(atOnce)})
    addEventListener('click', () => say(${JSON.stringify(atClick)}))
  </script>`,
})

/**
 * The player says what has no shape, and holds two frames that say what a player would: one of its own origin, one of a
 * third one. At the button it speaks as it should.
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
  // The page itself, and whoever could make it speak.
  await page.evaluate((messages) => {
    for (const said of messages) window.postMessage(said, '*')
  }, SPOKEN)
  // Told in order: what came before this one has been heard.
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
