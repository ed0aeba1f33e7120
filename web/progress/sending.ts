/**
 * Between this browser and the server, for the signed-in: what was told goes there, at once or with the next place, and
 * stays here until it was taken; what the server knows comes back.
 */
import { progress } from '#contract/progress.ts'
import { PROGRESS_AGE_MS } from '#contract/limits.ts'
import { api } from '#web/core/api.ts'
import { ApiError } from '#web/core/api-error.ts'
import { currentPerson, subscribe } from '#web/core/session.ts'
import { changeStored, readStored } from '#web/core/storage/stored.ts'
import { takeOver } from '#web/progress/taking-over.ts'
import {
  type AllTold,
  changeKnown,
  isTold,
  type Known,
  NONE,
  TOLD,
  type Told,
} from '#web/progress/marks.ts'

/** Between two places that are sent while a video plays. */
const STEP_MS = 15_000
/** After what could not be sent. */
const PAUSE_MS = 30_000
/** Lessons that are asked for in one call. */
const AT_ONCE = 100
/** A report that waited for longer may have been overtaken by another device. */
const FRESH_MS = 30_000

type Part = keyof Told
const PARTS = ['place', 'mark', 'opened'] as const satisfies readonly Part[]

/** By lesson: how many reports the server has taken. An answer that was asked for before one of them is out of date. */
const takes = new Map<string, number>()

let owner: string | undefined
let asked: readonly number[] = []
let sentAt = 0
let running: Promise<void> | undefined
let again: ReturnType<typeof setTimeout> | undefined
/** The page is hidden or being closed. */
let isLeft = false

/** To be called once, when somebody is signed in: sends what has waited, and what waits whenever there is a chance. */
export function begin(): void {
  if (owner !== undefined) return
  follow()
  subscribe(follow)
  window.addEventListener('online', () => void send(true))
  document.addEventListener('visibilitychange', () => {
    isLeft = document.visibilityState === 'hidden'
    if (!isLeft) void ask(asked)
  })
  // In the capture phase: known before the player's own listener tells where the video was left.
  window.addEventListener('pagehide', () => (isLeft = true), { capture: true })
  window.addEventListener('pageshow', () => (isLeft = false))
}

/** What is known is known of one person. */
function follow(): void {
  const person = currentPerson()?._id ?? ''
  if (person === owner) return
  owner = person
  changeKnown(() => ({}))
  if (person === '') return
  takeOver(person)
  void send(true)
}

/** Asks what the server knows of lessons, after it was told what this browser knows. */
export async function ask(lessons: readonly number[]): Promise<void> {
  asked = lessons
  begin()
  await send(true)
  await read(lessons)
}

async function read(lessons: readonly number[]): Promise<void> {
  const person = owner
  if (lessons.length === 0 || person === undefined || person === '') return
  const before = new Map(takes)
  try {
    const chunks: (readonly number[])[] = []
    for (let n = 0; n < lessons.length; n += AT_ONCE) chunks.push(lessons.slice(n, n + AT_ONCE))
    const answers = chunks.map((lesson) => api(progress.of, { lesson: [...lesson] }))
    const answer = (await Promise.all(answers)).flat()
    if (person !== owner) return
    const found = answer.map(({ lesson, seconds, length, done, date }): [string, Known] => [
      String(lesson),
      { at: seconds, of: length, done, time: Date.parse(date) },
    ])
    const current = found.filter(([lesson]) => takes.get(lesson) === before.get(lesson))
    changeKnown((old) => ({ ...old, ...Object.fromEntries(current) }))
  } catch {
    // Without the server there is what this browser was told.
  }
}

/** Sends what was told; unless `now`, only when the last time is long enough ago. */
export async function send(now: boolean): Promise<void> {
  begin()
  if (!now && Date.now() - sentAt < STEP_MS) return
  // From when the round was wanted: while one is slow to be answered, each second of a video would want another.
  sentAt = Date.now()
  // What is told meanwhile goes in a round of its own. A page that is left may not live to see the end of a round, so its
  // last one waits for none: the server takes the newest, in whatever order they come.
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
  for (const [lesson, told] of Object.entries(readTold(person))) {
    for (const part of PARTS) {
      if (told[part] === undefined) continue
      const wait = await sendPart(Number(lesson), told, part)
      if (wait > 0) {
        again = setTimeout(() => void send(true), wait)
        return
      }
      if (Date.now() - told[part].time > FRESH_MS) overtaken.push(Number(lesson))
      taken(person, lesson, told, part)
    }
  }
  if (overtaken.length > 0) await read(overtaken.filter((lesson) => asked.includes(lesson)))
}

/** Milliseconds to wait until it may go; 0: it went, or will never be taken. */
async function sendPart(lessonId: number, told: Told, part: Part): Promise<number> {
  const { place, mark } = told
  const said =
    part === 'place' && place !== undefined
      ? { seconds: place.at, furthest: place.furthest, length: place.of }
      : part === 'mark' && mark !== undefined
        ? { done: mark.done }
        : { opened: true }
  const age = Date.now() - (told[part]?.time ?? 0)
  try {
    const ago = Math.min(Math.max(0, age), PROGRESS_AGE_MS)
    await api(progress.report, { lessonId, ...said, ago }, { keepalive: true, unasked: true })
    return 0
  } catch (error) {
    const { status, retryAfter = 0 } = error instanceof ApiError ? error : { status: 0 }
    // What is refused for good is not asked again: the lesson is locked, gone, or the report is none.
    if (status === 400 || status === 403 || status === 404) return 0
    return Math.max(PAUSE_MS, retryAfter * 1000)
  }
}

/** Moves what was taken from what is told to what is known, unless it was told anew meanwhile. */
function taken(person: string, lesson: string, sent: Told, part: Part): void {
  const { place, mark } = sent
  takes.set(lesson, (takes.get(lesson) ?? 0) + 1)
  changeKnown((old) => {
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
  changeStored(`kb:${person}:${TOLD}`, isTold, NONE, (old) => without(old, lesson, sent, part))
}

function without(old: AllTold, lesson: string, sent: Told, part: Part): AllTold {
  const { [lesson]: now, ...others } = old
  // Not by their times: two things may be told in one millisecond.
  if (now === undefined || JSON.stringify(now[part]) !== JSON.stringify(sent[part])) return old
  const { [part]: _, ...left } = now
  return Object.keys(left).length === 0 ? others : { ...others, [lesson]: left }
}

const readTold = (person: string) => readStored(`kb:${person}:${TOLD}`, isTold) ?? NONE
