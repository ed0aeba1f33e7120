/** The page's side of the service worker: whose browser this is, what is worth keeping, and that a newer one waits. */
import { currentPerson, subscribe } from '#web/core/session.ts'
import { trustedUrl } from '#web/core/offline/trusted-url.ts'

/** A page that can be read without a network. */
export interface KeptPage {
  readonly path: string
  readonly title: string
  /** Milliseconds of the clock. */
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
 * Registers the worker, tells it who sits here from now on, and looks for a newer one each hour. Null where browsers
 * have none, forbid it, or it can't be had now: all works without it.
 */
export function beginOffline(): Promise<ServiceWorkerRegistration | null> {
  return (begun ??= begin())
}

async function begin(): Promise<ServiceWorkerRegistration | null> {
  try {
    const registration = await navigator.serviceWorker.register(trustedUrl(SCRIPT))
    watchUpdates(registration)
    setInterval(() => void registration.update().catch(() => undefined), HOUR_MS)
    subscribe(() => void tell(saidPerson()))
    await tell(saidPerson())
    return registration
  } catch {
    return null
  }
}

const saidPerson = () => ({
  kind: 'person',
  person: currentPerson()?._id ?? null,
  locale: document.documentElement.lang,
})

async function tell(said: object, ports: MessagePort[] = []): Promise<void> {
  const { active } = await navigator.serviceWorker.ready
  active?.postMessage(said, ports)
}

/**
 * Has the worker keep the page of `path`, with the files that this page has loaded. Resolves when that is done; to false
 * where it can't keep any page now.
 */
export async function keepPage(path: string, title: string): Promise<boolean> {
  if ((await beginOffline()) === null) return false
  const files = performance
    .getEntriesByType('resource')
    .map(({ name }) => new URL(name))
    .filter(({ origin }) => origin === window.location.origin)
    .map(({ pathname }) => pathname)
    .filter((file) => file.startsWith('/assets/'))
  await tell(saidPerson())
  const said = { kind: 'keep', path, title, files: [...new Set(files)] }
  return ask(said, false, LONGEST_KEEPING_MS)
}

/** Tells the worker something and waits for its answer; `other` where none comes in time. */
async function ask<Answer>(said: object, other: Answer, longestMs: number): Promise<Answer> {
  const { port1, port2 } = new MessageChannel()
  const answer = new Promise<Answer>((resolve) => {
    port1.addEventListener('message', ({ data }) => resolve(data as Answer))
    setTimeout(() => resolve(other), longestMs)
  })
  port1.start()
  await tell(said, [port2])
  return answer.finally(() => port1.close())
}

/** What can be read here without a network, the newest first; nothing where there is no worker. */
export async function listKept(): Promise<readonly KeptPage[]> {
  const registration = await navigator.serviceWorker?.getRegistration()
  if (!registration?.active) return []
  return ask({ kind: 'list' }, [], LONGEST_WAIT_MS)
}

/** Has the worker keep what the person has noted on a lesson. */
export async function keepNotes(lesson: number, notes: unknown): Promise<void> {
  if ((await beginOffline()) !== null) await tell({ kind: 'keepNotes', lesson, notes })
}

/** The notes that were kept of a lesson, as `keepNotes` had them; null where there are none. */
export async function readKeptNotes(lesson: number): Promise<unknown> {
  const registration = await navigator.serviceWorker?.getRegistration()
  if (!registration?.active) return null
  return ask<unknown>({ kind: 'notes', lesson }, null, LONGEST_WAIT_MS)
}

function watchUpdates(registration: ServiceWorkerRegistration): void {
  const notice = () => {
    // The first worker of a browser replaces none.
    if (registration.waiting === null || navigator.serviceWorker.controller === null) return
    waiting = registration.waiting
    for (const listener of listeners) listener()
  }
  notice()
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', notice)
  })
}

/** Listens for a newer version that waits. Answers a function that ends it. */
export function onUpdate(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether a newer version waits for the reader's word. */
export const isUpdateWaiting = (): boolean => waiting !== null

/** Lets the newer version in; the page starts again with it. */
export function takeUpdate(): void {
  navigator.serviceWorker.addEventListener('controllerchange', () => window.location.reload(), {
    once: true,
  })
  waiting?.postMessage({ kind: 'takeOver' })
}
