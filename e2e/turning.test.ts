/**
 * Page transitions move books and spines in less than 300 ms where browsers support it; others switch immediately.
 */
import type { Page } from '@playwright/test'
import { expect, once, test as base, visit } from './fixtures.ts'
import { publishShelf, type Shelf, signIn } from './people.ts'

const test = base.extend<{ stall: Shelf }>({
  stall: once(({ url }) =>
    publishShelf(url, 'Turning', { lesson: () => ({ tags: 'turning,pages' }) }),
  ),
})

interface Turn {
  /** The transition names before and after the navigation. */
  readonly before: readonly string[]
  readonly behind: readonly string[]
  /** Longest duration in ms, or 0 if nothing moves. */
  readonly longest: number
}

/** Records the page's view transitions from now on. */
async function noteTurns(page: Page): Promise<() => Promise<readonly Turn[]>> {
  await page.evaluate(() => {
    const namesIn = () =>
      [...document.querySelectorAll('[data-book], aside ol a')]
        .map((element) => getComputedStyle(element).viewTransitionName)
        .filter((name) => name !== 'none')
    const turns: Turn[] = []
    Object.assign(window, { turns })
    const start = document.startViewTransition.bind(document)
    document.startViewTransition = (change) => {
      const before = namesIn()
      const turn = start(change)
      void turn.ready.then(() => {
        const times = document
          .getAnimations()
          .filter(({ effect }) =>
            (effect as KeyframeEffect | null)?.pseudoElement?.startsWith('::view-transition'),
          )
          .map(({ effect }) => Number(effect?.getComputedTiming().endTime ?? 0))
        turns.push({ before, behind: namesIn(), longest: Math.max(0, ...times) })
      })
      return turn
    }
  })
  return () => page.evaluate(() => (window as unknown as { turns: readonly Turn[] }).turns)
}

test('the book of the clicked card moves to its page, and from there to the next one', async ({
  page,
  stall,
}) => {
  await visit(page, '/lesson/all')
  const turns = await noteTurns(page)
  const details = (title: string) =>
    page.getByRole('article').filter({ hasText: title }).getByRole('link', { name: 'Details' })
  await details('Turning 3').click()
  await expect(page).toHaveURL(`/lesson/details/${stall.lessons[2]}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Turning 3')
  // A transition that is skipped for another one before it is ready doesn't count.
  await expect.poll(async () => (await turns()).length).toBe(1)
  await details('Turning 5').click()
  await expect(page).toHaveURL(`/lesson/details/${stall.lessons[4]}`)
  await expect.poll(async () => (await turns()).length).toBe(2)
  for (const { before, behind, longest } of await turns()) {
    expect([before, behind]).toEqual([['opened-book'], ['opened-book']])
    expect(longest).toBeGreaterThan(0)
    expect(longest).toBeLessThan(300)
  }
})

test('the spine of the open lesson moves to the next one, with the keyboard too', async ({
  page,
  server,
  stall,
}) => {
  await signIn(page, server.url, stall.author)
  await visit(page, `/course/details/${stall.course}/${stall.lessons[0]}`)
  const turns = await noteTurns(page)
  await page
    .getByRole('link', { name: /Turning 2/, exact: false })
    .last()
    .click()
  await expect(page).toHaveURL(`/course/details/${stall.course}/${stall.lessons[1]}`)
  await expect(page.getByRole('heading', { level: 2, name: 'Turning 2' })).toBeVisible()
  // A transition that is skipped for another one before it is ready doesn't count.
  await expect.poll(async () => (await turns()).length).toBe(1)
  await page.keyboard.press('Alt+N')
  await expect(page).toHaveURL(`/course/details/${stall.course}/${stall.lessons[2]}`)
  await expect.poll(async () => (await turns()).length).toBe(2)
  for (const { before, behind } of await turns())
    expect([before, behind]).toEqual([['open-spine'], ['open-spine']])
})

test('with reduced motion nothing moves', async ({ page, stall }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await visit(page, '/lesson/all')
  const turns = await noteTurns(page)
  await page.getByRole('link', { name: 'Details' }).first().click()
  await expect(page).toHaveURL(`/lesson/details/${stall.lessons[5]}`)
  await expect.poll(async () => (await turns()).map(({ longest }) => longest)).toEqual([0])
})

test('a browser without view transitions switches immediately', async ({ page, stall }) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(Document.prototype, 'startViewTransition')
  })
  await visit(page, '/lesson/all')
  await page.getByRole('link', { name: 'Details' }).first().click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Turning 6')
  await expect(page).toHaveURL(`/lesson/details/${stall.lessons[5]}`)
})
