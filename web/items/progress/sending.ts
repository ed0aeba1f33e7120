/** Sends the signed-in user's progress, which stays in this browser until the server has confirmed it. */
import { progress } from '#contract/progress.ts'
import { PROGRESS_AGE_MS } from '#contract/limits.ts'
import { api } from '#web/core/api.ts'
import { ApiError } from '#web/core/api-error.ts'
import { currentPerson, subscribe } from '#web/core/session.ts'
import { changeStored, readStored } from '#web/core/storage/stored.ts'
import { takeOver } from '#web/items/progress/taking-over.ts'
import {
  type LocalMarks,
  changeServerMarks,
  isLocalMarks,
  type ServerMark,
  NONE,
  LOCAL_KEY,
  type LocalMark,
} from '#web/items/progress/marks.ts'

/** Interval in ms between two reports while a video plays. */
const STEP_MS = 15_000
/** Wait in ms after a failed report. */
const PAUSE_MS = 30_000
/** Maximum number of lessons in one request. */
const AT_ONCE = 100
/** Another device may have overtaken a report that is older than this (in ms). */
const FRESH_MS = 30_000

type Part = keyof LocalMark
const PARTS = ['place', 'mark', 'opened'] as const satisfies readonly Part[]

/** Number of confirmed reports by lesson. An answer that was requested before one of them is outdated. */
const confirmations = new Map<string, number>()

let owner: string | undefined
let asked: readonly number[] = []
let sentAt = 0
let running: Promise<void> | undefined
let again: ReturnType<typeof setTimeout> | undefined
/** True while the page is hidden or being closed. */
let isLeft = false

/** Call it once for a signed-in user. Sends the waiting reports now, and again whenever the browser is online. */
export function begin(): void {
  if (owner !== undefined) return
  follow()
  subscribe(follow)
  window.addEventListener('online', () => void send(true))
  document.addEventListener('visibilitychange', () => {
    isLeft = document.visibilityState === 'hidden'
    if (!isLeft) void ask(asked)
  })
  // The capture phase sets this before the player's own listener reports the last position.
  window.addEventListener('pagehide', () => (isLeft = true), { capture: true })
  window.addEventListener('pageshow', () => (isLeft = false))
}

/** Resets the server's progress when another person signs in. */
function follow(): void {
  const person = currentPerson()?._id ?? ''
  if (person === owner) return
  owner = person
  changeServerMarks(() => ({}))
  if (person === '') return
  takeOver(person)
  void send(true)
}

/** Sends the local progress first, so that the server's answer includes it. */
export async function ask(lessons: readonly number[]): Promise<void> {
  asked = lessons
  begin()
  await send(true)
  await read(lessons)
}

async function read(lessons: readonly number[]): Promise<void> {
  const person = owner
  if (lessons.length === 0 || person === undefined || person === '') return
  const before = new Map(confirmations)
  try {
    const chunks: (readonly number[])[] = []
    for (let n = 0; n < lessons.length; n += AT_ONCE) chunks.push(lessons.slice(n, n + AT_ONCE))
    const answers = chunks.map((lesson) => api(progress.of, { lesson: [...lesson] }))
    const answer = (await Promise.all(answers)).flat()
    if (person !== owner) return
    const found = answer.map(({ lesson, seconds, length, done, date }): [string, ServerMark] => [
      String(lesson),
      { at: seconds, of: length, done, time: Date.parse(date) },
    ])
    const current = found.filter(([lesson]) => confirmations.get(lesson) === before.get(lesson))
    changeServerMarks((old) => ({ ...old, ...Object.fromEntries(current) }))
  } catch {
    // Without the server, the local progress is shown.
  }
}

/** Sends the local progress. Unless `now`, it does nothing within STEP_MS after the last report. */
export async function send(now: boolean): Promise<void> {
  begin()
  if (!now && Date.now() - sentAt < STEP_MS) return
  // Set at the start of the round. Otherwise each second of a video would start another round while one is slow.
  sentAt = Date.now()
  // Progress recorded meanwhile goes into the next round. A page that is closing may not see the end of a round, so its
  // last one waits for none; the server keeps the newest report in any order.
  const before = isLeft ? undefined : running
  const round = (before ?? Promise.resolve()).then(sendAll)
  running = round
  await round
  if (running === round) running = undefined
}

async function sendAll(): Promise<void> {
  const person = owner
  if (person === undefined || person === '') return
  clearTimeout(again)
  const overtaken: number[] = []
  for (const [lesson, local] of Object.entries(readLocal(person))) {
    for (const part of PARTS) {
      if (local[part] === undefined) continue
      const wait = await sendPart(Number(lesson), local, part)
      if (wait > 0) {
        again = setTimeout(() => void send(true), wait)
        return
      }
      if (Date.now() - local[part].time > FRESH_MS) overtaken.push(Number(lesson))
      confirmReport(person, lesson, local, part)
    }
  }
  if (overtaken.length > 0) await read(overtaken.filter((lesson) => asked.includes(lesson)))
}

/** Returns how many ms to wait before a retry. 0 means that it was sent, or that the server will never accept it. */
async function sendPart(lessonId: number, local: LocalMark, part: Part): Promise<number> {
  const { place, mark } = local
  const fields =
    part === 'place' && place !== undefined
      ? { seconds: place.at, furthest: place.furthest, length: place.of }
      : part === 'mark' && mark !== undefined
        ? { done: mark.done }
        : { opened: true }
  const age = Date.now() - (local[part]?.time ?? 0)
  try {
    const ago = Math.min(Math.max(0, age), PROGRESS_AGE_MS)
    await api(progress.report, { lessonId, ...fields, ago }, { keepalive: true, unasked: true })
    return 0
  } catch (error) {
    const { status, retryAfter = 0 } = error instanceof ApiError ? error : { status: 0 }
    // These refusals are final: the lesson is locked or deleted, or the report is invalid.
    if (status === 400 || status === 403 || status === 404) return 0
    return Math.max(PAUSE_MS, retryAfter * 1000)
  }
}

/** Moves a confirmed report to the server's progress, unless it has changed since. */
function confirmReport(person: string, lesson: string, sent: LocalMark, part: Part): void {
  const { place, mark } = sent
  confirmations.set(lesson, (confirmations.get(lesson) ?? 0) + 1)
  changeServerMarks((old) => {
    const { at, of, done, time } = old[lesson] ?? { at: 0, of: 0, done: false, time: 0 }
    const isSeen = place !== undefined && place.of > 0 && place.furthest >= place.of * 0.95
    return {
      ...old,
      [lesson]: {
        at: part === 'place' ? (place?.at ?? at) : at,
        of: part === 'place' ? (place?.of ?? of) : of,
        done: part === 'mark' ? (mark?.done ?? done) : done || (part === 'place' && isSeen),
        time: Math.max(time, sent[part]?.time ?? 0),
      },
    }
  })
  changeStored(`kb:${person}:${LOCAL_KEY}`, isLocalMarks, NONE, (old) =>
    without(old, lesson, sent, part),
  )
}

function without(old: LocalMarks, lesson: string, sent: LocalMark, part: Part): LocalMarks {
  const { [lesson]: now, ...others } = old
  // Compares values, because two updates may have the same time.
  if (now === undefined || JSON.stringify(now[part]) !== JSON.stringify(sent[part])) return old
  const { [part]: _, ...left } = now
  return Object.keys(left).length === 0 ? others : { ...others, [lesson]: left }
}

const readLocal = (person: string) => readStored(`kb:${person}:${LOCAL_KEY}`, isLocalMarks) ?? NONE
