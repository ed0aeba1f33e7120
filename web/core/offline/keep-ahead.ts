/** Stores unlocked lessons for offline reading before the user opens them, while the browser is idle. */
import { courses } from '#contract/courses.ts'
import { lessons } from '#contract/lessons.ts'
import { PAGE_SIZE } from '#contract/limits.ts'
import { notes } from '#contract/notes.ts'
import { api } from '#web/core/api.ts'
import { beginOffline, keepPage, keepPart, listKept } from '#web/core/offline/worker-client.ts'
import { to } from '#web/core/paths.ts'
import { currentPerson } from '#web/core/session.ts'
import { changeStored, readStored } from '#web/core/storage/stored.ts'

/** Half of what the worker stores in total, so that pages the user has opened keep their place. */
const MOST = 60
/** Of these, at most this many lessons bought one by one. The rest are from courses. */
const MOST_LESSONS = 30
const DAY_MS = 24 * 60 * 60 * 1000
/** Older copies are loaded again, because the author may have edited the lesson. */
const OLD_MS = 7 * DAY_MS
/** Lets the open page settle first, as in use-kept.ts. */
const SETTLED_MS = 3000
const PAUSE_MS = 500
/** Background calls that must not ask to sign in or count as views. */
const QUIETLY = { unasked: true, quiet: true } as const

interface Wanted {
  /** A lesson's id. */
  readonly id: number
  readonly path: string
  readonly title: string
}

/**
 * Runs in one tab at a time. `daily` does nothing if it has run within a day. It stops early if the user signs out, the
 * network is gone or metered, or the storage is full; the next page load continues.
 */
export async function keepAhead(when: 'daily' | 'now'): Promise<void> {
  const person = currentPerson()?._id
  if (person === undefined || (await beginOffline()) === null) return
  const key = `kb:${person}:kept-ahead`
  const isHere = () => currentPerson()?._id === person
  const isDone = () => Date.now() - (readStored(key, isNumber) ?? 0) < DAY_MS
  await pause(SETTLED_MS)
  await navigator.locks.request('kb-keep-ahead', async () => {
    if (!isHere() || !mayLoad() || (when === 'daily' && isDone())) return
    for (const { id, path, title } of await missing()) {
      await spareMoment()
      if (!isHere() || !mayLoad() || !(await keepPage(path, title))) return
      const keep = (part: 'notes' | 'captions', value: unknown) =>
        keepPart({ part, lesson: id, value, person })
      await keep('notes', await api(notes.ofLesson, { id }, QUIETLY))
      // Loaded here, because every page would otherwise load it.
      const { captions } = await import('#contract/captions.ts')
      await keep('captions', await api(captions.ofLesson, { lessonId: id }, QUIETLY))
    }
    if (isHere()) changeStored(key, isNumber, 0, () => Date.now())
  })
}

const isNumber = (stored: unknown): stored is number => typeof stored === 'number'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function spareMoment(): Promise<void> {
  await pause(PAUSE_MS)
  if ('requestIdleCallback' in window)
    await new Promise((resolve) => window.requestIdleCallback(resolve, { timeout: SETTLED_MS }))
}

/** False when offline, and when the user has asked the browser to save data. */
function mayLoad(): boolean {
  // TypeScript's library lacks this type; the shape follows the draft standard (Network Information API).
  const { connection } = navigator as { readonly connection?: { readonly saveData?: boolean } }
  return navigator.onLine && connection?.saveData !== true
}

async function missing(): Promise<Wanted[]> {
  const kept = await listKept()
  const recent = kept.filter(({ at }) => Date.now() - at < OLD_MS)
  const storedPaths = new Set(recent.map(({ path }) => path))
  const wanted = [...(await newestLessons()), ...(await lessonsOfCourses())]
  return wanted.slice(0, MOST).filter(({ path }) => !storedPaths.has(path))
}

async function newestLessons(): Promise<Wanted[]> {
  const wanted: Wanted[] = []
  for (let page = 1; wanted.length < MOST_LESSONS; page += 1) {
    const cards = await api(lessons.bought, { page }, QUIETLY)
    for (const { id, title } of cards) wanted.push({ id, path: to.lesson(id), title })
    if (cards.length < PAGE_SIZE) break
  }
  return wanted.slice(0, MOST_LESSONS)
}

/**
 * Course lessons are stored under the address that the course links to. A course that can still be returned waits,
 * because that ends when two of its lessons were opened.
 */
async function lessonsOfCourses(): Promise<Wanted[]> {
  const wanted: Wanted[] = []
  for (const { id } of await api(courses.bought, { page: 1 }, QUIETLY)) {
    const course = await api(courses.show, { id }, QUIETLY)
    if (course.returnable !== null) continue
    for (const lesson of course.lessons)
      wanted.push({
        id: lesson.id,
        path: to.course(id, lesson.id),
        title: `${course.title}: ${lesson.title}`,
      })
  }
  return wanted
}
