import { useState } from 'react'
import { mail, type BugReport } from '#contract/mail.ts'
import { api } from '#web/core/api.ts'
import { type Sending, useSending } from '#web/core/form/use-sending.ts'
import { useReload } from '#web/core/page.ts'

export interface BugDesk extends Pick<Sending, 'failure'> {
  /** The id of the bug that is being changed. */
  readonly acting: number | null
  /** The bug that was changed last. Null if there is nothing to undo. */
  readonly last: BugReport | null
  /** Closes an open bug or reopens a closed one. Resolves to true on success. */
  readonly turn: (bug: BugReport) => Promise<boolean>
  readonly undo: () => Promise<void>
  readonly forget: () => void
}

/** Runs one call at a time and ignores a press during a call. */
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
