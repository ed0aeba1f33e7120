/** How long a press waits for its picture, by Chromium's event timing. */
import type { Page } from '@playwright/test'

/** One press, as the event timing of the browser has it; milliseconds. */
export interface Press {
  /** From the press to the frame that shows what it did. */
  readonly duration: number
  /** Before the page's own code began. */
  readonly delay: number
  /** In the page's own code. */
  readonly work: number
}

interface Felt {
  readonly presses: Map<number, Press>
}

/** Runs in every page before its own code: keeps each press. */
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
