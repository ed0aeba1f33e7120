/**
 * Whether lessons are shown without their surroundings. This browser remembers it, and a script in the head
 * applies it before the first paint.
 */
import { useSyncExternalStore } from 'react'

const KEY = 'reading'
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const isOn = () => 'reading' in document.documentElement.dataset

/** False on the server and during hydration; the styles use the attribute of <html>. */
export const useFocusMode = (): boolean => useSyncExternalStore(subscribe, isOn, () => false)

export function setFocusMode(on: boolean): void {
  const { dataset } = document.documentElement
  if (on) dataset['reading'] = ''
  else delete dataset['reading']
  try {
    if (on) localStorage.setItem(KEY, '1')
    else localStorage.removeItem(KEY)
  } catch {
    // The mode works without being remembered.
  }
  for (const listener of listeners) listener()
}
