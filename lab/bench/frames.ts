/** What Chromium tells of a page that is used: how long a press waits for its picture, and how evenly frames come. */
import type { Browser, Page } from '@playwright/test'

/** One press, as the event timing of the browser has it; milliseconds. */
export interface Press {
  /** From the press to the frame that shows what it did. */
  readonly duration: number
  /** Before the page's own code began. */
  readonly delay: number
  /** In the page's own code. */
  readonly work: number
}

/** The frames of one moment, from the start of its first motion to the end of its last. */
export interface Motion {
  readonly lasted: number
  /** Frames a second, from the first that was shown to the last. */
  readonly rate: number
  /** Milliseconds between two frames that were shown, at most. */
  readonly longest: number
}

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly ts: number
  readonly pid: number
  readonly args: {
    readonly frame_reporter?: { readonly state: string; readonly frame_sequence: number }
  }
}

interface Felt {
  readonly presses: Map<number, Press>
}

/** Runs in every page before its own code: keeps each press, and marks where motions begin and end. */
export function watchPage(): void {
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

  const begins = (name: string) => performance.mark(`begins:${name}`)
  const ends = (name: string) => performance.mark(`ends:${name}`)
  addEventListener('animationstart', ({ animationName }) => begins(animationName), true)
  addEventListener('animationend', ({ animationName }) => ends(animationName), true)
  const start = document.startViewTransition?.bind(document)
  if (start === undefined) return
  document.startViewTransition = (change) => {
    const turn = start(change)
    // One that is skipped begins nothing.
    void turn.ready.then(
      () => begins('turn'),
      () => undefined,
    )
    void turn.finished.then(() => ends('turn'))
    return turn
  }
}

/** The slowest press since the page was loaded or since this was asked last; undefined where none took 16 ms. */
export async function takeSlowest(page: Page): Promise<Press | undefined> {
  return page.evaluate(() => {
    const { felt } = window as unknown as { felt: Felt }
    const [slowest] = [...felt.presses.values()].toSorted((a, b) => b.duration - a.duration)
    felt.presses.clear()
    return slowest
  })
}

/** Does something that sets a page in motion, waits until that is over, and judges the frames of these animations. */
export async function watchMotion(
  browser: Browser,
  page: Page,
  animations: readonly string[],
  act: () => Promise<void>,
): Promise<Motion | null> {
  await browser.startTracing(page, {
    categories: [
      'cc',
      'benchmark',
      'blink.user_timing',
      'disabled-by-default-devtools.timeline.frame',
    ],
  })
  let trace: Buffer
  try {
    await act()
    await rests(page, animations)
  } finally {
    trace = await browser.stopTracing()
  }
  const { traceEvents }: { traceEvents: TraceEvent[] } = JSON.parse(trace.toString())
  return judgeFrames(traceEvents, animations)
}

/** Waits until one of these animations has ended and none runs any more; a page that does not move is no failure. */
async function rests(page: Page, animations: readonly string[]): Promise<void> {
  const isOver = (names: readonly string[]) =>
    names.some((name) => performance.getEntriesByName(`ends:${name}`).length > 0) &&
    !document
      .getAnimations()
      .some(
        (one) =>
          one.playState !== 'finished' &&
          one instanceof CSSAnimation &&
          names.includes(one.animationName),
      )
  await page
    .waitForFunction(isOver, animations, { polling: 200, timeout: 15_000 })
    .catch(() => null)
}

/** Frames from the first of these animations that began to the last that ended; null where none did. */
function judgeFrames(events: readonly TraceEvent[], animations: readonly string[]): Motion | null {
  const is = (what: string) => {
    const names = new Set(animations.map((name) => `${what}:${name}`))
    return ({ name }: TraceEvent) => names.has(name)
  }
  const begin = events.find(is('begins'))
  const end = events.findLast(is('ends'))
  if (begin === undefined || end === undefined) return null
  // What the page and what the compositor changed are told apart and reach the screen as one, so by the frame's number;
  // when a report ends says nothing, they end in heaps.
  const shown = new Map<number, number>()
  for (const { name, ph, pid, ts, args } of events) {
    const report = args.frame_reporter
    if (name !== 'PipelineReporter' || ph !== 'b' || pid !== begin.pid) continue
    if (report === undefined || ts < begin.ts || ts > end.ts) continue
    if (report.state.startsWith('STATE_PRESENTED')) shown.set(report.frame_sequence, ts)
  }
  const times = [...shown.values()].toSorted((one, other) => one - other)
  const gaps = times.slice(1).map((at, place) => (at - (times[place] ?? at)) / 1000)
  return {
    lasted: (end.ts - begin.ts) / 1000,
    rate:
      times.length < 2 ? 0 : ((times.length - 1) * 1e6) / ((times.at(-1) ?? 0) - (times[0] ?? 0)),
    longest: Math.max(0, ...gaps),
  }
}
