/**
 * What somebody has unlocked is kept before they open it: on a train without a network it must be there. It comes page
 * by page in spare moments, once a day and after each unlocking.
 */
import { courses } from '#contract/courses.ts'
import { lessons } from '#contract/lessons.ts'
import { PAGE_SIZE } from '#contract/limits.ts'
import { notes } from '#contract/notes.ts'
import { api } from '#web/core/api.ts'
import { beginOffline, keepNotes, keepPage, listKept } from '#web/core/offline/worker-client.ts'
import { to } from '#web/core/paths.ts'
import { currentPerson } from '#web/core/session.ts'
import { changeStored, readStored } from '#web/core/storage/stored.ts'

/** Pages that are kept so: half of what is kept at all, so that what was opened stays. */
const MOST = 60
/** Of them lessons that were bought one by one; the others are of courses. */
const MOST_LESSONS = 30
const DAY_MS = 24 * 60 * 60 * 1000
/** What was kept longer ago is fetched again: its author may have edited it. */
const OLD_MS = 7 * DAY_MS
/** The page that was opened comes to rest first, as in use-kept.ts. */
const SETTLED_MS = 3000
const PAUSE_MS = 500
/** Nobody has pressed anything for these calls, and they are nobody's views. */
const QUIETLY = { unasked: true, quiet: true } as const

interface Wanted {
  /** The lesson. */
  readonly id: number
  readonly path: string
  readonly title: () => Promise<string>
}

/**
 * Keeps the newest of what the signed-in person has unlocked; one tab does at a time. It ends early where the person
 * leaves, the network goes or is to be spared, or there is no room; the next page goes on.
 * @param when `daily`: unless it was done within a day
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
      if (!isHere() || !mayLoad() || !(await keepPage(path, await title()))) return
      await keepNotes(id, await api(notes.ofLesson, { id }, QUIETLY))
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

/** Not without a network, nor for who pays for each megabyte and says so. */
function mayLoad(): boolean {
  // The library's types lack it; the shape is the draft standard's.
  const { connection } = navigator as { readonly connection?: { readonly saveData?: boolean } }
  return navigator.onLine && connection?.saveData !== true
}

/** What of the newest unlocked is not kept yet, or was long ago. */
async function missing(): Promise<Wanted[]> {
  const kept = await listKept()
  const young = kept.filter(({ at }) => Date.now() - at < OLD_MS)
  const held = new Set(young.map(({ path }) => path))
  const wanted = [...(await newestLessons()), ...(await lessonsOfCourses())]
  return wanted.slice(0, MOST).filter(({ path }) => !held.has(path))
}

async function newestLessons(): Promise<Wanted[]> {
  const wanted: Wanted[] = []
  for (let page = 1; wanted.length < MOST_LESSONS; page += 1) {
    const cards = await api(lessons.bought, { page }, QUIETLY)
    for (const { id, title } of cards)
      wanted.push({ id, path: to.lesson(id), title: async () => title })
    if (cards.length < PAGE_SIZE) break
  }
  return wanted.slice(0, MOST_LESSONS)
}

/** The lessons of the newest courses, as their pages are opened from the course. */
async function lessonsOfCourses(): Promise<Wanted[]> {
  const cards = await api(courses.bought, { page: 1 }, QUIETLY)
  return cards.flatMap((card) => {
    let titles: Promise<ReadonlyMap<number, string>> | undefined
    const readTitles = async () => {
      const course = await api(courses.show, { id: card.id }, QUIETLY)
      return new Map(course.lessons.map(({ id, title }) => [id, title]))
    }
    return card.lessons.map((id) => ({
      id,
      path: to.course(card.id, id),
      title: async () => `${card.title}: ${(await (titles ??= readTitles())).get(id) ?? ''}`,
    }))
  })
}
