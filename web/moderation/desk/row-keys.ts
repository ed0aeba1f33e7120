/** The rows of a desk's list by key. */
import { type RefObject, useEffect, useRef } from 'react'
import type { Desk } from '#web/moderation/desk/desk.ts'
import type { DeskKey } from '#web/moderation/desk/desk-keys.ts'
import type { Listed } from '#web/moderation/desk/selection.ts'

/** A row that keys lead to is a table's row with this. */
const ROWS = 'tr[data-row]'

interface RowKeys {
  readonly desk: Desk
  readonly list: readonly Listed[]
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
  const rows = () => [...(body.current?.querySelectorAll<HTMLElement>(ROWS) ?? [])]
  const here = () => rows().findIndex((row) => row.contains(document.activeElement))
  const goTo = (wanted: number) => {
    const all = rows()
    place.current = Math.min(Math.max(wanted, 0), all.length - 1)
    all[place.current]?.focus()
  }
  // The row that one was in is gone: the next one stands there now.
  useEffect(() => {
    if (place.current < 0 || document.activeElement !== document.body) return
    const all = [...(body.current?.querySelectorAll<HTMLElement>(ROWS) ?? [])]
    all[Math.min(place.current, all.length - 1)]?.focus()
  }, [body, list])

  const remember = () => {
    place.current = document.activeElement?.closest('table') ? Math.max(here(), 0) : -1
  }
  const hear = (key: DeskKey) => {
    const row = here()
    if (row >= 0) place.current = row
    const one = row < 0 ? undefined : list[row]
    switch (key) {
      case 'j':
      case 'k': {
        const step = key === 'j' ? 1 : -1
        // From outside one returns to where one was.
        goTo(row < 0 ? Math.max(place.current, 0) : row + step)
        return true
      }
      case 'x':
        if (one === undefined) return false
        desk.select(one.id, !desk.selected.has(one.id))
        return true
      case 'enter': {
        const details = row < 0 ? null : rows()[row]?.querySelector('details')
        if (!details) return false
        details.open = !details.open
        return true
      }
      case 'delete': {
        const ids = desk.ids.length > 0 ? desk.ids : one && [one.id]
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
