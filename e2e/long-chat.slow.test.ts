/**
 * With thousands of messages, the document only contains those near the viewport, in the right order and place.
 */
import { HISTORY_PAGE } from '#contract/limits.ts'
import { writeLongAgo } from './database.ts'
import { expect, test, visit } from './fixtures.ts'
import { register, signIn } from './people.ts'

const COUNT = 2000

/** Returns the numbers of the rendered messages from top to bottom. */
const numbersIn = (log: Element): number[] =>
  [...log.querySelectorAll('[data-message]')]
    .toSorted((one, other) => one.getBoundingClientRect().top - other.getBoundingClientRect().top)
    .map((message) => Number(/^message (\d+)/.exec(message.textContent ?? '')?.[1]))

test('thousands of messages can be read upwards in order, in place, with a bounded document', async ({
  page,
  server,
}) => {
  const [reader, other] = [await register(server.url), await register(server.url)]
  await writeLongAgo(server.dataDir, [reader.id, other.id], COUNT)
  await signIn(page, server.url, reader)
  await visit(page, `/chat?receiver=${other.username}`)
  const log = page.getByRole('log')
  const newest = log.getByText(new RegExp(`^message ${COUNT}\\b`))
  await expect(newest).toBeInViewport()
  const seen = new Set<number>()
  let most = 0
  let nodes = 0
  const read = async () => {
    const numbers = await log.evaluate(numbersIn)
    const [first = 0] = numbers
    // Rendered messages are consecutive, except for a focused one.
    expect(numbers).toEqual(numbers.map((_, place) => first + place))
    for (const number of numbers) seen.add(number)
    most = Math.max(most, numbers.length)
    nodes = Math.max(nodes, await log.evaluate((box) => box.querySelectorAll('*').length))
  }
  for (let pages = 1; pages < COUNT / HISTORY_PAGE; pages += 1) {
    const oldest = COUNT - pages * HISTORY_PAGE + 1
    // The scroll position stays at the oldest loaded message while earlier ones load.
    const mark = log.getByText(new RegExp(`^message ${oldest}\\b`))
    await expect(async () => {
      await read()
      await log.evaluate((box) => box.scrollBy({ top: -box.clientHeight }))
      expect(Math.min(...seen)).toBeLessThanOrEqual(oldest)
    }).toPass({ intervals: [20] })
    if (pages % 10 !== 0) continue
    await expect(async () => {
      await mark.evaluate((message) => message.scrollIntoView({ block: 'start' }))
      await expect(mark).toBeInViewport({ timeout: 500 })
    }).toPass()
    const before = await mark.boundingBox()
    await expect(log.getByText(new RegExp(`^message ${oldest - 1}\\b`))).toBeAttached()
    const after = await mark.boundingBox()
    expect(Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(2)
  }
  await expect(async () => {
    await log.evaluate((box) => box.scrollTo({ top: 0 }))
    await expect(log.getByText(/^message 1\b/)).toBeInViewport({ timeout: 500 })
  }).toPass()
  seen.clear()
  await expect(async () => {
    await read()
    await log.evaluate((box) => box.scrollBy({ top: box.clientHeight }))
    await expect(newest).toBeInViewport({ timeout: 20 })
    await read()
  }).toPass({ intervals: [10] })
  expect(seen.size).toBe(COUNT)
  expect(most).toBeLessThan(120)
  expect(nodes).toBeLessThan(1500)

  await log.evaluate((box) => box.scrollTo({ top: 0 }))
  await page.getByRole('button', { name: 'Go to the newest' }).click()
  await expect(newest).toBeInViewport()
})

test('keys scroll the messages and move between report buttons beyond what was rendered', async ({
  page,
  server,
}) => {
  const [reader, other] = [await register(server.url), await register(server.url)]
  await writeLongAgo(server.dataDir, [reader.id, other.id], 120)
  await signIn(page, server.url, reader)
  await visit(page, `/chat?receiver=${other.username}`)
  const log = page.getByRole('log')
  await expect(log.getByText(/^message 120\b/)).toBeInViewport()
  await log.focus()
  await page.keyboard.press('Tab')
  const flag = log.getByRole('button', { name: 'Report' }).and(page.locator(':focus'))
  await expect(flag).toHaveAccessibleDescription(/^message 119\b/)
  for (let step = 119; step > 19; step -= 2) {
    // The previous message may still be loading.
    await expect(async () => {
      const here = await flag.getAttribute('aria-describedby')
      const words = (await page.locator(`#${here}`).textContent()) ?? ''
      if (words.startsWith(`message ${step}`)) await page.keyboard.press('ArrowUp')
      await expect(flag).toHaveAccessibleDescription(new RegExp(`^message ${step - 2}\\b`), {
        timeout: 500,
      })
    }).toPass()
  }
  await expect(flag).toBeInViewport()
  await log.focus()
  await page.keyboard.press('End')
  await expect(log.getByText(/^message 120\b/)).toBeInViewport()
})
