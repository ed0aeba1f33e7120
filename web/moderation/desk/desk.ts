/** What an administrator does with a list of the desk: selects, deletes, brings back. */
import { useState } from 'react'
import { ApiError } from '#web/core/api-error.ts'
import { useText } from '#web/core/i18n.tsx'
import { useReload } from '#web/core/page.ts'
import { toast } from '#web/core/toast.ts'
import {
  DESK_WORDS,
  deleteAtDesk,
  type DeskKind,
  restoreAtDesk,
} from '#web/moderation/desk/undo.ts'

/** What is on a list: a comment or a rating. */
export interface Listed {
  readonly id: number
}

export interface Desk {
  readonly selected: ReadonlySet<number>
  readonly busy: boolean
  /** What went wrong last, in words; a new object each time. */
  readonly failure: { readonly text: string } | null
  readonly select: (id: number, selected: boolean) => void
  readonly selectAll: (selected: boolean) => void
  /** Deletes them, or brings them back where deleted ones are shown. */
  readonly act: (ids: readonly number[]) => Promise<void>
  /** Does something else, which answers what went wrong, in words, or null. */
  readonly attempt: (step: () => Promise<string | null>) => Promise<void>
}

const NOTHING: ReadonlySet<number> = new Set()

/**
 * The state of a list: what is selected, what is under way, what failed. One act at a time; after each the list is
 * fetched again.
 * @param list what is on the page; what leaves it is not selected any more
 * @param deleted whether the page shows what was deleted
 */
export function useDesk(kind: DeskKind, list: readonly Listed[], deleted: boolean): Desk {
  const { t } = useText()
  const reload = useReload()
  const [ticked, setTicked] = useState(NOTHING)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Desk['failure']>(null)
  // Of what is not on the page any more nothing is selected.
  const selected = new Set(list.flatMap(({ id }) => (ticked.has(id) ? [id] : [])))

  const attempt: Desk['attempt'] = async (step) => {
    if (busy) return
    setBusy(true)
    setFailure(null)
    try {
      const wrong = await step()
      if (wrong !== null) setFailure({ text: wrong })
      await reload()
    } catch (error) {
      setFailure({ text: error instanceof ApiError ? error.message : t('somethingWrong') })
    } finally {
      setBusy(false)
    }
  }
  const restore = async (ids: readonly number[]) => {
    const { back, failed, why } = await restoreAtDesk(kind, ids, t)
    const words = DESK_WORDS[kind]
    setTicked(new Set(failed))
    if (back > 0) toast(t(words.restored, { count: back }))
    return failed.length === 0 ? null : t(words.restoredSome, { failed: failed.length, back, why })
  }
  const remove = async (ids: readonly number[]) => {
    await deleteAtDesk(kind, ids)
    setTicked(NOTHING)
    return null
  }
  return {
    selected,
    busy,
    failure,
    select: (id, isTicked) => {
      const next = new Set(selected)
      if (isTicked) next.add(id)
      else next.delete(id)
      setTicked(next)
    },
    selectAll: (isTicked) => setTicked(isTicked ? new Set(list.map(({ id }) => id)) : NOTHING),
    act: (ids) => attempt(() => (deleted ? restore(ids) : remove(ids))),
    attempt,
  }
}
