/** Marking problems as done or open again, and taking that back. */
import { useState } from 'react'
import { mail, type BugReport } from '#contract/mail.ts'
import { ApiError } from '#web/core/api-error.ts'
import { api } from '#web/core/api.ts'
import { useText } from '#web/core/i18n.tsx'
import { useReload } from '#web/core/page.ts'

interface BugDesk {
  /** The id of the one that is being marked. */
  readonly acting: number | null
  /** What was marked last, as it is now; null when there is nothing to take back. */
  readonly last: BugReport | null
  /** For a FormAlert. */
  readonly failure: { readonly text: string; readonly status: number } | null
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
  const { t } = useText()
  const reload = useReload()
  const [acting, setActing] = useState<number | null>(null)
  const [last, setLast] = useState<BugReport | null>(null)
  const [failure, setFailure] = useState<BugDesk['failure']>(null)

  async function mark({ id, done }: BugReport): Promise<BugReport | null> {
    if (acting !== null) return null
    setActing(id)
    setFailure(null)
    try {
      const marked = await api(mail.finishBug, { id, done: done === null })
      await reload()
      return marked
    } catch (error) {
      const { message, status } =
        error instanceof ApiError ? error : { message: t('somethingWrong'), status: 0 }
      setFailure({ text: message, status })
      return null
    } finally {
      setActing(null)
    }
  }

  return {
    acting,
    last,
    failure,
    turn: async (bug) => {
      const marked = await mark(bug)
      if (marked !== null) setLast(marked)
      return marked !== null
    },
    undo: async () => {
      if (last !== null && (await mark(last)) !== null) setLast(null)
    },
    forget: () => setLast(null),
  }
}
