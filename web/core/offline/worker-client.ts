/** The page's side of the service worker. */
import { currentPerson, subscribe } from '#web/core/session.ts'
import { trustedUrl } from '#web/core/offline/trusted-url.ts'

export interface KeptPage {
  readonly path: string
  readonly title: string
  /** Milliseconds since 1970. */
  readonly at: number
}

const SCRIPT = '/service-worker.js'
const LONGEST_WAIT_MS = 3000
/** Longer than the worker waits for a page and its files. */
const LONGEST_KEEPING_MS = 60_000
const HOUR_MS = 60 * 60 * 1000

let begun: Promise<ServiceWorkerRegistration | null> | null = null
let waiting: ServiceWorker | null = null
const listeners = new Set<() => void>()

/**
 * Registers the worker, tells it who is signed in, and checks for a new version each hour. Returns null if service
 * workers are missing, forbidden or unavailable.
 */
export function beginOffline(): Promise<ServiceWorkerRegistration | null> {
  return (begun ??= begin())
}

async function begin(): Promise<ServiceWorkerRegistration | null> {
  try {
    const registration = await navigator.serviceWorker.register(trustedUrl(SCRIPT))
    watchUpdates(registration)
    setInterval(() => void registration.update().catch(() => undefined), HOUR_MS)
    subscribe(() => void send(personMessage()))
    await send(personMessage())
    return registration
  } catch {
    return null
  }
}

/** Call it when the language changes, so that the page for times without a network is stored in it. */
export async function tellLanguage(): Promise<void> {
  if (begun !== null && (await begun) !== null) await send(personMessage())
}

const personMessage = () => ({
  kind: 'person',
  person: currentPerson()?._id ?? null,
  locale: document.documentElement.lang,
})

async function send(message: object, ports: MessagePort[] = []): Promise<void> {
  const { active } = await navigator.serviceWorker.ready
  active?.postMessage(message, ports)
}

/** Stores the page of `path` and the files this page has loaded. Resolves to false if no page can be stored now. */
export async function keepPage(path: string, title: string): Promise<boolean> {
  if ((await beginOffline()) === null) return false
  const files = performance
    .getEntriesByType('resource')
    .map(({ name }) => new URL(name))
    .filter(({ origin }) => origin === window.location.origin)
    .map(({ pathname }) => pathname)
    .filter((file) => file.startsWith('/assets/'))
  await send(personMessage())
  const message = { kind: 'keep', path, title, files: [...new Set(files)] }
  return ask(message, false, LONGEST_KEEPING_MS)
}

/** Sends a message and waits for the answer. Resolves to `other` after the timeout. */
async function ask<Answer>(message: object, other: Answer, longestMs: number): Promise<Answer> {
  const { port1, port2 } = new MessageChannel()
  const answer = new Promise<Answer>((resolve) => {
    port1.addEventListener('message', ({ data }) => resolve(data as Answer))
    setTimeout(() => resolve(other), longestMs)
  })
  port1.start()
  await send(message, [port2])
  return answer.finally(() => port1.close())
}

/** The newest first. Empty if there is no worker. */
export async function listKept(): Promise<readonly KeptPage[]> {
  const registration = await navigator.serviceWorker?.getRegistration()
  if (!registration?.active) return []
  return ask({ kind: 'list' }, [], LONGEST_WAIT_MS)
}

/** What the worker stores of a lesson besides its page. */
type Part = 'notes' | 'captions'

interface KeptPart {
  readonly part: Part
  readonly lesson: number
  readonly value: unknown
  /** Who was signed in when it was loaded. The worker ignores it if somebody else is by now. */
  readonly person: string
}

export async function keepPart(kept: KeptPart): Promise<void> {
  if ((await beginOffline()) !== null) await send({ kind: 'keepPart', ...kept })
}

/** Returns what `keepPart` stored, or null. */
export async function readKeptPart(part: Part, lesson: number): Promise<unknown> {
  const registration = await navigator.serviceWorker?.getRegistration()
  if (!registration?.active) return null
  return ask<unknown>({ kind: 'part', part, lesson }, null, LONGEST_WAIT_MS)
}

function watchUpdates(registration: ServiceWorkerRegistration): void {
  const notice = () => {
    // The first worker of a browser replaces no other.
    waiting = navigator.serviceWorker.controller === null ? null : registration.waiting
    for (const listener of listeners) listener()
  }
  notice()
  navigator.serviceWorker.addEventListener('controllerchange', notice)
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', notice)
  })
}

/** Returns a function that ends the subscription. */
export function onUpdate(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The new version waits until the user accepts it. */
export const isUpdateWaiting = (): boolean => waiting !== null

/** Activates the new version and reloads the page. */
export function takeUpdate(): void {
  const reload = () => window.location.reload()
  navigator.serviceWorker.addEventListener('controllerchange', reload, { once: true })
  // The browser activates it only when the old version has no request under way. The page doesn't wait longer for that.
  setTimeout(reload, LONGEST_WAIT_MS)
  waiting?.postMessage({ kind: 'takeOver' })
}
