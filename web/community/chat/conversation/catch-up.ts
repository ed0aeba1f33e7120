/** Fetches the messages that were missed while the connection was down, page by page. */
import type { Message } from '#contract/chat.ts'
import { CATCH_UP } from '#contract/limits.ts'

interface CatchUp {
  /** The id up to which no message is missing. */
  readonly from: () => number
  /** Fetches up to 200 messages newer than an id, oldest first. */
  readonly ask: (after: number) => Promise<readonly Message[]>
  /** Must advance `from`. */
  readonly take: (page: readonly Message[]) => void
}

/** Repeats until a page has fewer than 200 messages. Rejects as `ask` does, and keeps what it took until then. */
export async function catchUp({ from, ask, take }: CatchUp): Promise<void> {
  for (;;) {
    const page = await ask(from())
    take(page)
    if (page.length < CATCH_UP) return
  }
}
