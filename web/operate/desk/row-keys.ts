import { type RefObject, useEffect, useRef } from 'react'
import type { Desk } from '#web/operate/desk/desk.ts'
import type { DeskKey } from '#web/operate/desk/desk-keys.ts'
import type { Listed } from '#web/operate/desk/selection.ts'

const ROWS = 'tr[data-row]'

interface RowKeys {
  readonly desk: Desk
  readonly list: readonly Listed[]
  readonly undo: () => void
  readonly showHelp: () => void
}

interface RowSteps {
  /** Pass it to useDeskKeys. */
  readonly handleKey: (key: DeskKey) => boolean
  /** For the focus events of `body`. Remembers the row, to continue there if it disappears. */
  readonly remember: () => void
}

/** Moves between rows by keyboard, and acts on the focused one. */
export function useRowKeys(
  body: RefObject<HTMLDivElement | null>,
  { desk, list, undo, showHelp }: RowKeys,
): RowSteps {
  /** The last focused row. */
  const place = useRef(-1)
  const rows = () => [...(body.current?.querySelectorAll<HTMLElement>(ROWS) ?? [])]
  const here = () => rows().findIndex((row) => row.contains(document.activeElement))
  const goTo = (wanted: number) => {
    const all = rows()
    place.current = Math.min(Math.max(wanted, 0), all.length - 1)
    all[place.current]?.focus()
  }
  // If the focused row disappears, the focus goes to the row that takes its place.
  useEffect(() => {
    if (place.current < 0 || document.activeElement !== document.body) return
    const all = [...(body.current?.querySelectorAll<HTMLElement>(ROWS) ?? [])]
    all[Math.min(place.current, all.length - 1)]?.focus()
  }, [body, list])

  const remember = () => {
    place.current = document.activeElement?.closest('table') ? Math.max(here(), 0) : -1
  }
  const handleKey = (key: DeskKey) => {
    const row = here()
    if (row >= 0) place.current = row
    const one = row < 0 ? undefined : list[row]
    switch (key) {
      case 'j':
      case 'k': {
        const step = key === 'j' ? 1 : -1
        // From outside of the list, the focus returns to the last row.
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
  return { handleKey, remember }
}
