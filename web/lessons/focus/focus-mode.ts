/** Whether an open lesson is shown alone. Remembered in this browser; the head's script has already shown it. */
import { useSyncExternalStore } from 'react'

const KEY = 'reading'
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const isOn = () => 'reading' in document.documentElement.dataset

/** Off on the server and in the first paint of the script; the styles go by the mark on <html>. */
export const useFocusMode = (): boolean => useSyncExternalStore(subscribe, isOn, () => false)

/** Shows lessons alone, or no more, and remembers it. */
export function setFocusMode(on: boolean): void {
  const { dataset } = document.documentElement
  if (on) dataset['reading'] = ''
  else delete dataset['reading']
  try {
    if (on) localStorage.setItem(KEY, '1')
    else localStorage.removeItem(KEY)
  } catch {
    // Not remembered, but shown.
  }
  for (const listener of listeners) listener()
}
