/** Something small that this browser stores for the signed-in person: other tabs follow, logging out clears it. */
import { useMemo, useSyncExternalStore } from 'react'
import { useSession } from '#web/core/session.ts'

export interface Stored<T> {
  readonly value: T
  readonly change: (step: (old: T) => T) => void
}

/**
 * What is stored under `name`; `nothing` on the server, in the first paint, and when what stands there can't be read.
 * @param isGood whether something has the shape that is expected
 */
export function useStored<T>(
  name: string,
  isGood: (stored: unknown) => stored is T,
  nothing: T,
): Stored<T> {
  const person = useSession()?._id ?? 'guest'
  // Cleared at logout with everything else under that person's name.
  const key = `kb:${person}:${name}`
  const text = useSyncExternalStore(
    subscribe,
    () => readText(key),
    () => null,
  )
  return useMemo(() => {
    const parse = (stored: string | null): T => parseText(stored, isGood) ?? nothing
    return { value: parse(text), change: (step) => write(key, (old) => step(parse(old))) }
  }, [key, text, isGood, nothing])
}

/** What is stored under a whole key, for code outside of components; null where nothing stands that can be read. */
export function readStored<T>(key: string, isGood: (stored: unknown) => stored is T): T | null {
  return parseText(readText(key), isGood)
}

/** Changes what is stored under a whole key, as `change` of useStored does. */
export function changeStored<T>(
  key: string,
  isGood: (stored: unknown) => stored is T,
  nothing: T,
  step: (old: T) => T,
): void {
  write(key, (old) => step(parseText(old, isGood) ?? nothing))
}

/** Null where nothing stands that can be read. */
function parseText<T>(stored: string | null, isGood: (stored: unknown) => stored is T): T | null {
  try {
    const parsed: unknown = JSON.parse(stored ?? 'null')
    return isGood(parsed) ? parsed : null
  } catch {
    return null
  }
}

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

function readText(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function write(key: string, step: (old: string | null) => unknown): void {
  const old = readText(key)
  const text = JSON.stringify(step(old))
  if (text === old) return
  try {
    localStorage.setItem(key, text)
  } catch {
    // Full or forbidden storage: everything works without memory.
  }
  for (const listener of listeners) listener()
}
