/** Small values that this browser stores for the signed-in user. Other tabs follow, and signing out deletes them. */
import { useMemo, useSyncExternalStore } from 'react'
import { useSession } from '#web/core/session.ts'

export interface Stored<T> {
  readonly value: T
  readonly change: (step: (old: T) => T) => void
}

/** Returns `nothing` on the server, in the first render, and if the stored value does not pass `isGood`. */
export function useStored<T>(
  name: string,
  isGood: (stored: unknown) => stored is T,
  nothing: T,
): Stored<T> {
  const person = useSession()?._id ?? 'guest'
  // Signing out deletes all keys with this prefix.
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

/** For code outside of components. Takes the whole key. */
export function readStored<T>(key: string, isGood: (stored: unknown) => stored is T): T | null {
  return parseText(readText(key), isGood)
}

/** For code outside of components. Takes the whole key. */
export function changeStored<T>(
  key: string,
  isGood: (stored: unknown) => stored is T,
  nothing: T,
  step: (old: T) => T,
): void {
  write(key, (old) => step(parseText(old, isGood) ?? nothing))
}

/** Returns null if the value cannot be parsed or has the wrong shape. */
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
    // The storage is full or forbidden. Everything works without it.
  }
  for (const listener of listeners) listener()
}
