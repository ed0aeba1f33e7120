/** The signed-in user. localStorage `auth` holds the session with its access token, and all tabs follow it. */
import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Session } from '#contract/accounts.ts'
import type { Person } from '#contract/render.ts'
import { isRecord } from '#web/core/shape.ts'

interface State {
  readonly person: Person | null
  /** Null if it must first be renewed with the refresh cookie. */
  readonly token: string | null
}

const KEY = 'auth'
let state: State = { person: null, token: null }
const listeners = new Set<() => void>()

/** The user that the server rendered this page for. Null for guests. */
export const FirstPerson = createContext<Person | null>(null)

export function useSession(): Person | null {
  const first = useContext(FirstPerson)
  return useSyncExternalStore(
    subscribe,
    () => state.person,
    () => first,
  )
}

/** Listens to all changes, including those from other tabs. Returns a function that ends the subscription. */
export function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** For code outside of components; components use `useSession`. */
export const currentPerson = (): Person | null => state.person

/** Null for guests, and until a token of the page's user is known. */
export const currentToken = (): string | null => state.token

/** Call it once, before hydration. A stored token counts only if it belongs to the server's user. */
export function startSession(person: Person | null): void {
  const stored = readStoredSession()
  state = {
    person,
    token: stored !== null && stored._id === person?._id ? stored.accessToken : null,
  }
  window.addEventListener('storage', (event) => {
    if (event.key === KEY || event.key === null) adoptStoredSession()
  })
  // A page restored from the back/forward cache has missed the changes of other pages.
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) adoptStoredSession()
  })
}

/** Reads localStorage, regardless of this page's state. */
export function readStoredSession(): Session | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null')
    return isSession(stored) && stored.accessToken !== '' ? stored : null
  } catch {
    return null
  }
}

export function isSession(value: unknown): value is Session {
  return (
    isRecord(value) &&
    ['accessToken', '_id', 'username', 'email', 'imageUrl'].every(
      (name) => typeof value[name] === 'string',
    ) &&
    typeof value['kbPoints'] === 'number' &&
    (value['role'] === 'user' || value['role'] === 'administrator')
  )
}

/** Applies a change from another tab. */
export function adoptStoredSession(): void {
  const stored = readStoredSession()
  if (stored === null) change({ person: null, token: null })
  else change(split(stored))
}

/** For login, registration and renewal. */
export function setSession(session: Session): void {
  write(session)
  change(split(session))
}

/** Sets the balance that the server reported. */
export function setPoints(kbPoints: number): void {
  if (state.person === null) return
  const person = { ...state.person, kbPoints }
  if (state.token !== null) write({ ...person, accessToken: state.token })
  change({ ...state, person })
}

/** Updates the balance optimistically, before the server reports it. It never goes below zero. */
export function addPoints(delta: number): void {
  setPoints(Math.max(0, (state.person?.kbPoints ?? 0) + delta))
}

/** Removes the session and everything that is stored under the user's id (see drafts.ts). */
export function clearSession(): void {
  const id = state.person?._id ?? readStoredSession()?._id
  try {
    localStorage.removeItem(KEY)
    if (id !== undefined) {
      for (const key of Object.keys(localStorage))
        if (key.startsWith(`kb:${id}:`)) localStorage.removeItem(key)
    }
  } catch {
    // Nothing was stored if storage is forbidden.
  }
  change({ person: null, token: null })
}

/** Ends the session without the user's request, so their drafts stay for their return. */
export function leavePerson(): void {
  try {
    localStorage.removeItem(KEY)
  } catch {
    // Nothing was stored if storage is forbidden.
  }
  change({ person: null, token: null })
}

/** Drops an invalid token but keeps the user, so that a form can ask them to sign in again in place. */
export function dropToken(): void {
  change({ ...state, token: null })
}

function split(session: Session): State {
  const { accessToken, ...person } = session
  return { person, token: accessToken }
}

function write(session: Session): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(session))
  } catch {
    // The storage is full or forbidden. This tab still works.
  }
}

function change(next: State): void {
  state = next
  for (const listener of listeners) listener()
}
