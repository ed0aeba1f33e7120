/** What an administrator does on the page of comments: selects, deletes, brings back, has judged again. */
import { type RefObject, useEffect, useRef, useState } from 'react'
import { comments } from '#contract/comments.ts'
import type { ModeratedComment } from '#contract/comments.schemas.ts'
import { ApiError } from '#web/core/api-error.ts'
import { api } from '#web/core/api.ts'
import { useText } from '#web/core/i18n.tsx'
import { useReload } from '#web/core/page.ts'
import { toast } from '#web/core/toast.ts'
import type { DeskKey } from '#web/moderation/desk/desk-keys.ts'
import { OPINIONS } from '#web/moderation/comments/opinions.ts'
import { deleteAtDesk, restoreAtDesk } from '#web/moderation/desk/undo.ts'

export interface CommentDesk {
  readonly selected: ReadonlySet<number>
  readonly busy: boolean
  /** What went wrong last, in words; a new object each time. */
  readonly failure: { readonly text: string } | null
  readonly select: (id: number, selected: boolean) => void
  readonly selectAll: (selected: boolean) => void
  /** Deletes them, or brings them back where deleted ones are shown. */
  readonly act: (ids: readonly number[]) => Promise<void>
  readonly judge: (id: number) => Promise<void>
}

const NOTHING: ReadonlySet<number> = new Set()

/**
 * The state of the page of comments: what is selected, what is under way, what failed. One act at a time; after each
 * the list is fetched again.
 * @param list the comments on the page; what leaves it is not selected any more
 * @param deleted whether the page shows deleted comments
 */
export function useCommentDesk(list: readonly ModeratedComment[], deleted: boolean): CommentDesk {
  const { t } = useText()
  const reload = useReload()
  const [ticked, setTicked] = useState(NOTHING)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<CommentDesk['failure']>(null)
  // Of what is not on the page any more nothing is selected.
  const selected = new Set(list.flatMap(({ id }) => (ticked.has(id) ? [id] : [])))

  /** `step` answers what went wrong, in words, or null. */
  const attempt = async (step: () => Promise<string | null>) => {
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
    const { back, failed, why } = await restoreAtDesk('comment', ids, t)
    setTicked(new Set(failed))
    if (back > 0) toast(t('deskRestored', { count: back }))
    return failed.length === 0 ? null : t('deskRestoredSome', { failed: failed.length, back, why })
  }
  const remove = async (ids: readonly number[]) => {
    await deleteAtDesk('comment', ids)
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
    judge: (id) =>
      attempt(async () => {
        const { prediction } = await api(comments.judge, { id })
        toast(t('judgedAgain', { opinion: t(OPINIONS[prediction ?? 'NONE'].name) }))
        return null
      }),
  }
}

interface RowKeys {
  readonly desk: CommentDesk
  readonly list: readonly ModeratedComment[]
  readonly undo: () => void
  readonly showHelp: () => void
}

interface RowSteps {
  /** For useDeskKeys. */
  readonly hear: (key: DeskKey) => boolean
  /** For the focus events of `body`: where one goes on when the row has gone. */
  readonly remember: () => void
}

/** Steps from row to row by key, and acts on the one that has the focus. */
export function useRowKeys(
  body: RefObject<HTMLDivElement | null>,
  { desk, list, undo, showHelp }: RowKeys,
): RowSteps {
  /** Where one was last. */
  const place = useRef(-1)
  const rows = () => [...(body.current?.querySelectorAll<HTMLElement>('tr[data-comment]') ?? [])]
  const here = () => rows().findIndex((row) => row.contains(document.activeElement))
  const goTo = (wanted: number) => {
    const all = rows()
    place.current = Math.min(Math.max(wanted, 0), all.length - 1)
    all[place.current]?.focus()
  }
  // The row that one was in is gone with its comment: the next one stands there now.
  useEffect(() => {
    if (place.current < 0 || document.activeElement !== document.body) return
    const all = [...(body.current?.querySelectorAll<HTMLElement>('tr[data-comment]') ?? [])]
    all[Math.min(place.current, all.length - 1)]?.focus()
  }, [body, list])

  const remember = () => {
    place.current = document.activeElement?.closest('.desk') ? Math.max(here(), 0) : -1
  }
  const hear = (key: DeskKey) => {
    const row = here()
    if (row >= 0) place.current = row
    const comment = row < 0 ? undefined : list[row]
    switch (key) {
      case 'j':
      case 'k': {
        const step = key === 'j' ? 1 : -1
        // From outside one returns to where one was.
        goTo(row < 0 ? Math.max(place.current, 0) : row + step)
        return true
      }
      case 'x':
        if (comment === undefined) return false
        desk.select(comment.id, !desk.selected.has(comment.id))
        return true
      case 'enter': {
        const details = row < 0 ? null : rows()[row]?.querySelector('details')
        if (!details) return false
        details.open = !details.open
        return true
      }
      case 'delete': {
        const ids = desk.selected.size > 0 ? [...desk.selected] : comment && [comment.id]
        if (ids === undefined) return false
        void desk.act(ids)
        return true
      }
      case 'u':
        undo()
        return true
      case '?':
        showHelp()
        return true
    }
  }
  return { hear, remember }
}
