import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'
import styles from '#web/chat/Chat.module.css'
import type { Said } from '#web/chat/conversation/conversation.ts'

const FLAGS = `.${styles.theirs} button`

/**
 * The flags beside the messages as one stop of the Tab key, or it would take fifty presses past them to the field: the
 * newest of those that are rendered is it, and arrows lead from one to the next.
 */
export function useFlagSteps(
  box: RefObject<HTMLDivElement | null>,
  said: readonly Said[],
): { readonly onKeys: (event: KeyboardEvent) => void; readonly settle: () => void } {
  const stop = useRef<HTMLElement>(null)
  useEffect(() => moveStop(stop, flagsIn(box).at(-1)), [box, said])
  // Rows come and go by scrolling; the stop that is being used stays.
  const settle = () => {
    if (stop.current === null || stop.current !== document.activeElement)
      moveStop(stop, flagsIn(box).at(-1))
  }
  const onKeys = (event: KeyboardEvent) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    const all = step === undefined ? [] : flagsIn(box)
    const here = all.findIndex((flag) => flag === event.target)
    if (step === undefined || here < 0) return
    event.preventDefault()
    const next = all[here + step]
    if (next === undefined) return
    moveStop(stop, next)
    next.focus()
  }
  return { onKeys, settle }
}

const flagsIn = (box: RefObject<HTMLDivElement | null>): HTMLElement[] => [
  ...(box.current?.querySelectorAll<HTMLElement>(FLAGS) ?? []),
]

function moveStop(stop: RefObject<HTMLElement | null>, flag: HTMLElement | undefined): void {
  if (stop.current !== null) stop.current.tabIndex = -1
  stop.current = flag ?? null
  if (flag !== undefined) flag.tabIndex = 0
}
