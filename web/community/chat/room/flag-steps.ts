import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'
import styles from '#web/community/chat/Chat.module.css'
import type { ConfirmedMessage } from '#web/community/chat/conversation/conversation.ts'

const FLAGS = `.${styles.theirs} button`

/**
 * Makes the flag buttons one Tab stop, or reaching the field would take fifty presses. The newest rendered flag is the
 * stop, and the arrow keys move between flags.
 */
export function useFlagSteps(
  box: RefObject<HTMLDivElement | null>,
  messages: readonly ConfirmedMessage[],
): { readonly onKeys: (event: KeyboardEvent) => void; readonly settle: () => void } {
  const stop = useRef<HTMLElement>(null)
  useEffect(() => moveStop(stop, flagsIn(box).at(-1)), [box, messages])
  // Scrolling mounts and unmounts rows, but the focused stop stays.
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
