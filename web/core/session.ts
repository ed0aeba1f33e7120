/**
 * Who is signed in. localStorage `auth` holds the session with its access token; the server names the person
 * of the cookie in the page's data, so that the first paint is right. Other tabs follow.
 */
import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Session } from '#contract/accounts.ts'
import type { Person } from '#contract/render.ts'
import { isRecord } from '#web/core/shape.ts'

interface State {
  readonly person: Person | null
  /** Null when it has to be fetched by the cookie first. */
  readonly token: string | null
}

const KEY = 'auth'
let state: State = { person: null, token: null }
const listeners = new Set<() => void>()

/** The server's word for this page; null for guests. */
export const FirstPerson = createContext<Person | null>(null)

/** The signed-in person, or null. */
export function useSession(): Person | null {
  const first = useContext(FirstPerson)
  return useSyncExternalStore(
    subscribe,
    () => state.person,
    () => first,
  )
}

/** Listens to every change of the session, those of other tabs included. Answers a function that ends the listening. */
export function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Who is signed in right now, for code outside of components; components use `useSession`. */
export const currentPerson = (): Person | null => state.person

/** The access token for calls; null for guests, and until a token that fits the page is known. */
export const currentToken = (): string | null => state.token

/** Takes the server's person; a stored token counts only when it is the same person's. Called once, before hydration. */
export function startSession(person: Person | null): void {
  const stored = readStoredSession()
  state = {
    person,
    token: stored !== null && stored._id === person?._id ? stored.accessToken : null,
  }
  window.addEventListener('storage', (event) => {
    if (event.key === KEY || event.key === null) adoptStoredSession()
  })
  // A page that comes back from the browser's memory has missed what other pages did.
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) adoptStoredSession()
  })
}

/** The session that this browser stores, whatever the page says; null when there is none. */
export function readStoredSession(): Session | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null')
    return isSession(stored) && stored.accessToken !== '' ? stored : null
  } catch {
    return null
  }
}

/** Whether something has the contract's shape of a session. */
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

/** Follows what another tab did. */
export function adoptStoredSession(): void {
  const stored = readStoredSession()
  if (stored === null) change({ person: null, token: null })
  else change(split(stored))
}

/** Login, registration, renewal. */
export function setSession(session: Session): void {
  write(session)
  change(split(session))
}

/** Shows a new balance: the server's number. */
export function setPoints(kbPoints: number): void {
  if (state.person === null) return
  const person = { ...state.person, kbPoints }
  if (state.token !== null) write({ ...person, accessToken: state.token })
  change({ ...state, person })
}

/** The optimistic step before the server's number; never below zero. */
export function addPoints(delta: number): void {
  setPoints(Math.max(0, (state.person?.kbPoints ?? 0) + delta))
}

/** Forgets the session and everything that is stored under its person (see drafts.ts). */
export function clearSession(): void {
  const id = state.person?._id ?? readStoredSession()?._id
  try {
    localStorage.removeItem(KEY)
    if (id !== undefined) {
      for (const key of Object.keys(localStorage))
        if (key.startsWith(`kb:${id}:`)) localStorage.removeItem(key)
    }
  } catch {
    // Without storage nothing was stored.
  }
  change({ person: null, token: null })
}

/** The session is over without the person's wish: what is stored under their name stays for their return. */
export function leavePerson(): void {
  try {
    localStorage.removeItem(KEY)
  } catch {
    // Without storage nothing was stored.
  }
  change({ person: null, token: null })
}

/** The token is no good any more; the person stays on the page, so that a form can ask to sign in again in place. */
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
    // Full or forbidden storage: this tab still works.
  }
}

function change(next: State): void {
  state = next
  for (const listener of listeners) listener()
}
