/** After a cut: fetches what was missed, page by page. */
import type { Message } from '#contract/chat.ts'
import { CATCH_UP } from '#contract/limits.ts'

interface CatchUp {
  /** The id up to which nothing is missing. */
  readonly from: () => number
  /** Messages newer than an id, oldest first, up to 200. */
  readonly ask: (after: number) => Promise<readonly Message[]>
  /** Must move `from`. */
  readonly take: (page: readonly Message[]) => void
}

/** Asks again until fewer than 200 come. Rejects as `ask` does; what came until then is taken. */
export async function catchUp({ from, ask, take }: CatchUp): Promise<void> {
  for (;;) {
    const page = await ask(from())
    take(page)
    if (page.length < CATCH_UP) return
  }
}
