/**
 * Stores the items that a person has unlocked, so that they can be read offline. While the server answers, nothing
 * comes from a cache.
 *
 * Caches:
 * - `shell:BUILD`: the offline page in English and in the languages that pages have reported, with its files;
 * - `who`: the signed-in person and their language, as pages report them;
 * - `kept:PERSON`: the person's pages with their files, pictures and notes. Deleted when a page reports another
 *   person, or nobody.
 *
 * The server prepends `self.BUILD`, the name of the build, so that each build has a new worker.
 */

import { FILE, FILES_IN_PAGE, LONGEST_FETCH_MS, storeFiles } from './files.ts'
import { DEFAULT_LOCALE, OFFLINE, offlineIn, storeOfflinePage } from './offline-page.ts'
import { keepPart, type KeptPart, lessonOfPart, readPart } from './parts.ts'
import { answerPicture, isPicture, picturesIn } from './pictures.ts'

interface Worker extends ServiceWorkerGlobalScope {
  readonly BUILD: string
}
declare const self: Worker

/** Messages of pages. Unknown ones, from pages of another build, are ignored. */
type Message =
  | { readonly kind: 'person'; readonly person: string | null; readonly locale: string }
  | {
      readonly kind: 'keep'
      readonly path: string
      readonly title: string
      readonly files: readonly string[]
    }
  | { readonly kind: 'list' }
  | ({ readonly kind: 'keepPart' } & KeptPart)
  | ({ readonly kind: 'part' } & Pick<KeptPart, 'part' | 'lesson'>)
  | { readonly kind: 'takeOver' }

interface Who {
  readonly person: string | null
  readonly locale: string
}

const SHELL = `shell:${self.BUILD}`
const KEPT = 'kept:'
const WHO = 'who'
/** Pages that may be stored: a lesson, and a course with one of its lessons. */
const READABLE = /^\/(?:lesson\/details\/\d{1,15}|course\/details\/\d{1,15}(?:\/\d{1,15})?)$/
/** Maximum number of pages of a person. The oldest are deleted first. */
const MOST_PAGES = 120
const LONGEST_PAGE = 2_000_000
const MOST_FILES = 200
/** In ms. An older page is fetched again; so is a page of another build. */
const FRESH_MS = 24 * 60 * 60 * 1000
/** In ms. If there is a stored copy, it is shown when the server hasn't answered by then. */
const PATIENCE_MS = 6000
/** Headers that we add to a stored page. */
const NOTES = {
  at: 'x-kept-at',
  title: 'x-kept-title',
  files: 'x-kept-files',
  build: 'x-kept-build',
}

self.addEventListener('install', (event) => event.waitUntil(storeShell()))
self.addEventListener('activate', (event) => event.waitUntil(begin()))
self.addEventListener('message', (event) => {
  const message = event.data as Message | null
  if (message === null || typeof message !== 'object') return
  if (message.kind === 'takeOver') event.waitUntil(self.skipWaiting())
  else event.waitUntil(inTurn(() => handle(message, event.ports[0])))
})
self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET') return
  // Pictures may come from another origin.
  if (request.destination === 'image') event.respondWith(answerPicture(request, openKept))
  else if (origin !== self.location.origin) return
  else if (request.mode === 'navigate') event.respondWith(answerPage(event))
  else if (FILE.test(pathname)) event.respondWith(answerFile(request))
})

let last: Promise<unknown> = Promise.resolve()

/** Runs one task at a time, so that nothing is stored for a person who has signed out meanwhile. Ignores failures. */
function inTurn(work: () => Promise<void>): Promise<void> {
  const done = last.then(work).catch(() => undefined)
  last = done
  return done
}

async function handle(message: Message, port: MessagePort | undefined): Promise<void> {
  if (message.kind === 'person') await changePerson(message)
  else if (message.kind === 'keep')
    port?.postMessage(
      await keep(message.path, String(message.title), message.files).catch(() => false),
    )
  else if (message.kind === 'list') port?.postMessage(await list())
  else if (message.kind === 'keepPart') await keepPartOf(message)
  else if (message.kind === 'part') port?.postMessage(await readPart(await openKept(), message))
}

/** Stores the offline page and its files. If anything fails, the browser installs the worker again later. */
async function storeShell(): Promise<void> {
  const { locale } = await readWho()
  const shell = await caches.open(SHELL)
  for (const each of new Set([DEFAULT_LOCALE, locale])) await storeOfflinePage(shell, each)
}

async function begin(): Promise<void> {
  for (const name of await caches.keys())
    if (name.startsWith('shell:') && name !== SHELL) await caches.delete(name)
  await self.registration.navigationPreload?.enable()
  await self.clients.claim()
}

async function answerPage(event: FetchEvent): Promise<Response> {
  const path = new URL(event.request.url).pathname
  const fromServer = async () => {
    const loading = (await event.preloadResponse) as Response | undefined
    return loading ?? fetch(event.request)
  }
  const kept = READABLE.test(path) ? await findKept(path) : undefined
  try {
    if (kept === undefined) return await fromServer()
    return await Promise.race([
      fromServer(),
      new Promise<never>((_, reject) => {
        setTimeout(() => reject(new Error('no answer')), PATIENCE_MS)
      }),
    ])
  } catch {
    return kept ?? offlinePage(new URL(event.request.url))
  }
}

/** The offline page has its own address; the requested one follows the #. */
async function offlinePage({ pathname, search }: URL): Promise<Response> {
  if (pathname !== OFFLINE) return Response.redirect(`${OFFLINE}#${pathname}${search}`, 302)
  const { locale } = await readWho()
  const page =
    (await caches.match(offlineIn(locale), { ignoreVary: true })) ??
    (await caches.match(offlineIn(DEFAULT_LOCALE), { ignoreVary: true }))
  return page ?? Response.error()
}

async function answerFile(request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch {
    const stored = await caches.match(request.url, { ignoreVary: true })
    return stored ?? Response.error()
  }
}

async function readWho(): Promise<Who> {
  const stored = await caches.match(`/${WHO}`, { cacheName: WHO })
  return stored === undefined
    ? { person: null, locale: DEFAULT_LOCALE }
    : ((await stored.json()) as Who)
}

/** Stores who is signed in, and deletes what was stored for others. */
async function changePerson({ person, locale }: Who): Promise<void> {
  const own = person === null ? null : `${KEPT}${person}`
  for (const name of await caches.keys())
    if (name.startsWith(KEPT) && name !== own) await caches.delete(name)
  const who = await caches.open(WHO)
  await who.put(`/${WHO}`, Response.json({ person, locale }))
  await storeOfflinePage(await caches.open(SHELL), locale)
}

async function openKept(): Promise<Cache | null> {
  const { person } = await readWho()
  return person === null ? null : caches.open(`${KEPT}${person}`)
}

/** Does nothing if somebody else has signed in since the page asked for the part. */
async function keepPartOf(part: KeptPart): Promise<void> {
  const { person } = await readWho()
  if (part.person === person) await keepPart(await openKept(), part)
}

async function findKept(path: string): Promise<Response | undefined> {
  const kept = await openKept()
  return kept?.match(path, { ignoreVary: true })
}

/** Stores a page if the signed-in person may still see it. Returns false if no other page can be stored now. */
async function keep(path: string, title: string, files: readonly string[]): Promise<boolean> {
  const kept = await openKept()
  if (kept === null || !READABLE.test(path)) return false
  const old = await kept.match(path, { ignoreVary: true })
  if (old !== undefined && isFresh(old)) return true
  const answer = await fetch(path, {
    cache: 'no-store',
    // Doesn't count as a view.
    headers: { 'x-prefetch': '1' },
    signal: AbortSignal.timeout(LONGEST_FETCH_MS),
  })
  const { person } = await readWho()
  const html = await answer.text()
  if (!answer.ok || answer.redirected || html.length > LONGEST_PAGE || personOf(html) !== person)
    return answer.status < 429
  const wanted = [...new Set([...(html.match(FILES_IN_PAGE) ?? []), ...files])]
    .filter((file) => FILE.test(file))
    .slice(0, MOST_FILES)
  const shown = picturesIn(html)
  try {
    await storeFiles(kept, wanted)
    // A page is worth storing without its pictures.
    await storeFiles(kept, shown).catch(() => undefined)
    await kept.put(path, noted(html, answer, title, [...wanted, ...shown]))
    await prune(kept, MOST_PAGES)
    return true
  } catch {
    // The disk is full. Deletes half of the pages, so that there is room the next time.
    await kept.delete(path)
    await prune(kept, Math.floor((await pagesOf(kept)).length / 2))
    return false
  }
}

const isFresh = ({ headers }: Response): boolean =>
  headers.get(NOTES.build) === self.BUILD && Date.now() - Number(headers.get(NOTES.at)) < FRESH_MS

/** Returns the id of the person for whom the server rendered the page, from the page's data. */
function personOf(html: string): string | null {
  const data = /<script[^>]*\bid="page"[^>]*>(.*?)<\/script>/s.exec(html)?.[1] ?? 'null'
  const page = JSON.parse(data) as { person?: { _id?: string } | null } | null
  return page?.person?._id ?? null
}

/** The page with its own headers, such as its Content-Security-Policy, and ours. */
function noted(html: string, answer: Response, title: string, files: readonly string[]): Response {
  const headers = new Headers(answer.headers)
  for (const name of ['content-encoding', 'content-length', 'vary']) headers.delete(name)
  headers.set(NOTES.at, String(Date.now()))
  headers.set(NOTES.title, encodeURIComponent(title.slice(0, 200).toWellFormed()))
  headers.set(NOTES.files, files.join(' '))
  headers.set(NOTES.build, self.BUILD)
  return new Response(html, { headers })
}

interface KeptPage {
  readonly path: string
  readonly title: string
  /** When it was stored, in milliseconds since 1970. */
  readonly at: number
  readonly files: readonly string[]
}

/** Lists the pages of a cache, the newest first. */
async function pagesOf(kept: Cache): Promise<KeptPage[]> {
  const pages: KeptPage[] = []
  for (const request of await kept.keys()) {
    const path = new URL(request.url).pathname
    const page = READABLE.test(path) ? await kept.match(request, { ignoreVary: true }) : undefined
    if (page === undefined) continue
    pages.push({
      path,
      title: decodeURIComponent(page.headers.get(NOTES.title) ?? ''),
      at: Number(page.headers.get(NOTES.at)),
      files: (page.headers.get(NOTES.files) ?? '').split(' '),
    })
  }
  return pages.sort((one, other) => other.at - one.at)
}

/** Deletes all but the newest `most` pages, and files and notes that no remaining page needs. */
async function prune(kept: Cache, most: number): Promise<void> {
  const pages = await pagesOf(kept)
  for (const { path } of pages.slice(most)) await kept.delete(path)
  const needed = new Set(pages.slice(0, most).flatMap(({ files }) => files))
  const lessons = new Set(pages.slice(0, most).map(({ path }) => path.split('/').at(-1)))
  for (const request of await kept.keys()) {
    const { pathname } = new URL(request.url)
    const isFile = FILE.test(pathname) || isPicture(pathname)
    const lesson = lessonOfPart(pathname)
    const isOfGone = lesson !== null && !lessons.has(lesson)
    if (isOfGone || (isFile && !needed.has(pathname))) await kept.delete(request)
  }
}

/** Lists the stored pages, the newest first. */
async function list(): Promise<readonly Omit<KeptPage, 'files'>[]> {
  const kept = await openKept()
  const pages = kept === null ? [] : await pagesOf(kept)
  return pages.map(({ path, title, at }) => ({ path, title, at }))
}
