/** Measures interaction to next paint on a slowed-down phone with Chromium's event timing. */
import { chromium, type BrowserContext, type Locator, type Page } from '@playwright/test'
import { findBrowser } from '#scripts/programs.mjs'
import { withDemo, type Demo } from './demo.ts'
import { spread, type Settings } from './rounds.ts'
import { judged, type Section } from './table.ts'

/** CPU slowdown of the page, as on a cheap phone. */
const SLOWED = 4
const AIM_MS = 100
/** Longer than every animation, and than the browser needs to report an interaction. */
const SETTLED_MS = 1500
const PHONE = { width: 390, height: 844 } as const

interface Walk {
  readonly context: BrowserContext
  readonly page: Page
  readonly origin: string
  /** Path of a course that the learner has unlocked. */
  readonly course: string
  /** A person whom the learner may write to. */
  readonly author: string
  /** Lessons that the learner may like and unlock. */
  readonly locked: readonly number[]
  readonly presses: Map<string, Press[]>
}

/** Measures interactions of a signed-in learner. */
export async function benchInteractions(settings: Settings): Promise<Section[]> {
  const executablePath = await findBrowser()
  return withDemo(async (demo) => {
    const browser = await chromium.launch({
      executablePath,
      args: ['--no-sandbox', '--disable-gpu'],
    })
    try {
      const context = await browser.newContext({
        viewport: PHONE,
        isMobile: true,
        hasTouch: true,
        locale: 'en-GB',
        baseURL: demo.origin,
      })
      await context.addCookies([{ name: 'kb', value: demo.learner.cookie, url: demo.origin }])
      await context.addInitScript(watchPage)
      const page = await context.newPage()
      const presses = new Map<string, Press[]>()
      const times = settings.quick ? 2 : 5
      const subject = await choose(demo, times)
      await walk({ context, page, ...subject, presses }, times)
      return [describePresses(presses)]
    } finally {
      await browser.close()
    }
  })
}

async function walk(at: Walk, times: number): Promise<void> {
  for (const id of at.locked) await like(at, id)
  for (let time = 0; time < times; time += 1) {
    await filter(at)
    await turn(at)
    await comment(at, time)
    await chat(at, time)
    await publish(at, time)
  }
  for (const id of at.locked) await unlock(at, id)
}

/** Finds the targets of the interactions. @throws when the demo lacks one */
async function choose(
  { origin, learner }: Demo,
  times: number,
): Promise<Pick<Walk, 'origin' | 'course' | 'author' | 'locked'>> {
  const { accessToken }: { accessToken: string } = JSON.parse(learner.session)
  const read = async <T>(path: string): Promise<T> => {
    const answer = await fetch(`${origin}/api${path}`, {
      headers: { authorization: `Bearer ${accessToken}` },
    })
    return JSON.parse(await answer.text())
  }
  interface Card {
    readonly id: number
    readonly free: boolean
    readonly ownerName: string
  }
  const [course] = await read<Card[]>('/course/bought')
  if (course === undefined) throw new Error('the learner has no course')
  const locked: number[] = []
  for (const { id, free } of await read<Card[]>('/lesson/all')) {
    if (locked.length === times) break
    const { can } = await read<{ can: { buy: boolean; like: boolean } }>(`/lesson/${id}`)
    if (!free && can.buy && can.like) locked.push(id)
  }
  if (locked.length < times) throw new Error(`only ${locked.length} lessons to press on`)
  return { origin, locked, course: `/course/details/${course.id}`, author: course.ownerName }
}

/** Loads a page at full speed, and then slows it down. */
async function open({ context, page }: Walk, path: string): Promise<void> {
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await page.goto(path, { waitUntil: 'networkidle' })
  await page.waitForFunction(() => !('earlyPress' in window))
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED })
  await session.detach()
  await page.waitForTimeout(SETTLED_MS)
  await takeSlowest(page)
}

async function press({ page, presses }: Walk, what: string, place: Locator): Promise<void> {
  await place.scrollIntoViewIfNeeded()
  await takeSlowest(page)
  await place.tap()
  await page.waitForTimeout(SETTLED_MS)
  const slowest = await takeSlowest(page)
  // The browser reports nothing below 16 ms.
  presses.set(what, [...(presses.get(what) ?? []), slowest ?? { duration: 16, delay: 0, work: 0 }])
}

async function like(at: Walk, lesson: number): Promise<void> {
  await open(at, `/lesson/details/${lesson}`)
  await press(at, 'like', at.page.getByRole('button', { name: 'Like', exact: true }))
}

async function unlock(at: Walk, lesson: number): Promise<void> {
  await open(at, `/lesson/details/${lesson}`)
  const button = { name: /^Unlock for/ }
  await press(at, 'unlock: ask', at.page.getByRole('button', button).first())
  const sure = at.page.getByRole('dialog').getByRole('button', button)
  await press(at, 'unlock: do', sure)
}

async function filter(at: Walk): Promise<void> {
  await open(at, '/lesson/all')
  await press(at, 'filter: open', at.page.getByRole('button', { name: /^Sort and filter/ }))
  await press(at, 'filter: choose', at.page.getByRole('link', { name: 'Free preview' }))
}

async function turn(at: Walk): Promise<void> {
  await open(at, '/lesson/all')
  const card = at.page.getByRole('link', { name: 'Details' }).nth(1)
  await press(at, 'turn: a card', card)
  await open(at, at.course)
  await press(at, 'turn: Next', at.page.locator('a[rel=next]'))
}

async function comment(at: Walk, time: number): Promise<void> {
  await open(at, at.course)
  const field = at.page.getByRole('textbox', { name: /^Your comment/ })
  await field.fill(`What is measured for the ${time + 1}. time is measured twice.`)
  await press(at, 'send a comment', at.page.getByRole('button', { name: 'Post comment' }))
}

async function chat(at: Walk, time: number): Promise<void> {
  await open(at, `/chat?receiver=${encodeURIComponent(at.author)}`)
  await at.page.getByRole('textbox', { name: /^Message to/ }).fill(`Message ${time + 1}`)
  await press(at, 'send a message', at.page.getByRole('button', { name: 'Send', exact: true }))
}

const ARTICLE = 'A splice holds because each strand goes under the one before it, three times over.'

async function publish(at: Walk, time: number): Promise<void> {
  const { page } = at
  await open(at, '/lesson/create')
  await page.locator('input[name=title]').fill(`Splice number ${time + 1}`)
  await page.locator('input[name=description]').fill('How to tuck it and when to trust it')
  await page.locator('input[name=video]').fill(`https://youtu.be/eyesplice0${time}`)
  await page.getByRole('button', { name: 'Use a pattern instead' }).tap()
  const tags = page.getByPlaceholder('Add a tag')
  await tags.fill('rope')
  await tags.press('Enter')
  await page.locator('.editor .ProseMirror').tap()
  await page.keyboard.insertText(`${ARTICLE} For the ${time + 1}. time.`)
  await press(at, 'publish', page.getByRole('button', { name: /^Publish/ }))
}

function describePresses(presses: ReadonlyMap<string, readonly Press[]>): Section {
  const rows = [...presses].map(([what, found]) => {
    const [duration, delay, work] = (['duration', 'delay', 'work'] as const).map((name) =>
      spread(found.map((press) => press[name])),
    )
    const { median = 0, min = 0, max = 0 } = duration ?? {}
    return [
      what,
      String(found.length),
      `${median.toFixed(0)} ms (${min.toFixed(0)}–${max.toFixed(0)})`,
      `${(delay?.median ?? 0).toFixed(0)} ms`,
      `${(work?.median ?? 0).toFixed(0)} ms`,
      judged(`≤ ${AIM_MS} ms`, median <= AIM_MS),
    ]
  })
  return {
    title: `From a press to its picture on a phone, the page's thread ${SLOWED} times slower`,
    columns: ['press', 'times', 'INP, median', 'waited', 'own code', 'goal'],
    rows,
    notes: ['The browser counts in steps of 8 ms, and nothing below 16.'],
    raw: Object.fromEntries(presses),
  }
}

/** One interaction according to the browser's event timing, in ms. */
interface Press {
  /** From the interaction to the frame that shows its effect. */
  readonly duration: number
  /** Before the page's own code started. */
  readonly delay: number
  /** In the page's own code. */
  readonly work: number
}

interface Felt {
  readonly presses: Map<number, Press>
}

/** Runs in every page before its own code and records each interaction. */
function watchPage(): void {
  const presses = new Map<number, Press>()
  Object.assign(window, { felt: { presses } satisfies Felt })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as PerformanceEventTiming[]) {
      const { interactionId, duration, startTime, processingStart, processingEnd } = entry
      if (interactionId === 0 || (presses.get(interactionId)?.duration ?? 0) > duration) continue
      presses.set(interactionId, {
        duration,
        delay: processingStart - startTime,
        work: processingEnd - processingStart,
      })
    }
  }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
}

/**
 * Returns the slowest interaction since the page was loaded or since the last call. Undefined if none took 16 ms.
 */
async function takeSlowest(page: Page): Promise<Press | undefined> {
  return page.evaluate(() => {
    const { felt } = window as unknown as { felt: Felt }
    const [slowest] = [...felt.presses.values()].toSorted((a, b) => b.duration - a.duration)
    felt.presses.clear()
    return slowest
  })
}
