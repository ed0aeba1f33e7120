/** Marking problems as done or open again, and taking that back. */
import { useState } from 'react'
import { mail, type BugReport } from '#contract/mail.ts'
import { api } from '#web/core/api.ts'
import { type Sending, useSending } from '#web/core/form/use-sending.ts'
import { useReload } from '#web/core/page.ts'

export interface BugDesk extends Pick<Sending, 'failure'> {
  /** The id of the one that is being marked. */
  readonly acting: number | null
  /** What was marked last, as it is now; null when there is nothing to take back. */
  readonly last: BugReport | null
  /** Makes an open one done, a done one open. True when it is. */
  readonly turn: (bug: BugReport) => Promise<boolean>
  readonly undo: () => Promise<void>
  readonly forget: () => void
}

/**
 * The state of the page of problems: which one is being marked, which was marked last, and what failed. One call at a
 * time; a press during a call does nothing.
 */
export function useBugDesk(): BugDesk {
  const reload = useReload()
  const { busy, failure, send } = useSending()
  const [marking, setMarking] = useState<number | null>(null)
  const [last, setLast] = useState<BugReport | null>(null)

  async function mark({ id, done }: BugReport, next: (marked: BugReport) => void): Promise<void> {
    if (busy) return
    setMarking(id)
    await send(async () => {
      const marked = await api(mail.finishBug, { id, done: done === null })
      await reload()
      next(marked)
    })
  }

  return {
    acting: busy ? marking : null,
    last,
    failure,
    turn: async (bug) => {
      let isMarked = false
      await mark(bug, (marked) => {
        isMarked = true
        setLast(marked)
      })
      return isMarked
    },
    undo: async () => {
      if (last !== null) await mark(last, () => setLast(null))
    },
    forget: () => setLast(null),
  }
}
