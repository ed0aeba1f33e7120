/** Keyboard shortcuts of the desk. They are off while the user types or a dialog is open, and can be switched off. */
import { useEffect, useEffectEvent } from 'react'
import { useStored } from '#web/core/storage/stored.ts'

export type DeskKey = 'j' | 'k' | 'x' | 'u' | 'delete' | 'enter' | '?'

const OTHER: Readonly<Record<string, DeskKey>> = {
  '#': 'delete',
  Delete: 'delete',
  Enter: 'enter',
  '?': '?',
}
/** Only inside the list, because these keys scroll the page elsewhere. */
const IN_LIST: Readonly<Record<string, DeskKey>> = { ArrowDown: 'j', ArrowUp: 'k' }
const LETTERS: Readonly<Record<string, DeskKey>> = { j: 'j', k: 'k', x: 'x', u: 'u' }
const TYPING = 'input:not([type=checkbox]), textarea, select, [contenteditable]'
/** Elements that handle Enter themselves. */
const PRESSED = 'a, button, summary, input'

/** `handle` returns whether it handled the key. */
export function useDeskKeys(isOn: boolean, handle: (key: DeskKey) => boolean): void {
  const listen = useEffectEvent((event: KeyboardEvent) => {
    const key = keyOf(event)
    if (key !== null && handle(key)) event.preventDefault()
  })
  useEffect(() => {
    if (!isOn) return undefined
    const onKeyDown = (event: KeyboardEvent) => listen(event)
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [isOn])
}

function keyOf(event: KeyboardEvent): DeskKey | null {
  const { target, key, code } = event
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return null
  if (!(target instanceof Element) || target.closest(TYPING) !== null) return null
  if (document.querySelector(':modal, :popover-open') !== null) return null
  if (key === 'Enter' && target.closest(PRESSED) !== null) return null
  const inList = target.closest('tbody') === null ? undefined : IN_LIST[key]
  // For other alphabets, uses the Latin letter at the same position.
  const letter = /^[a-z]$/i.test(key) ? key.toLowerCase() : code.replace(/^Key/, '').toLowerCase()
  return OTHER[key] ?? inList ?? LETTERS[letter] ?? null
}

const isBoolean = (stored: unknown): stored is boolean => typeof stored === 'boolean'

/** The user's choice, stored in this browser. */
export function useDeskKeysSetting() {
  const { value, change } = useStored('desk-keys', isBoolean, true)
  return { isOn: value, set: (isOn: boolean) => change(() => isOn) }
}
