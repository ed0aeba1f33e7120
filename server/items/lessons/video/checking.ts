/**
 * Checks whether the videos of lessons can still be played. A lesson is marked when two answers, at least a day
 * apart, say that its video is gone; one that it can be played ends that.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db, Tx } from '#server/platform/db/connect.ts'
import type { Core } from '#server/platform/core/core.ts'
import { lessonRef, type Event } from '#server/platform/events/catalogue.ts'
import { record } from '#server/platform/events/outbox.ts'
import { jobKind, NoPayload, type JobContext } from '#server/platform/jobs/job.ts'
import {
  addMissingChecks,
  clearChecks,
  countMissing,
  lockCheck,
  readChecker,
  storeCheck,
  storeChecker,
  takeDueVideo,
  type DueVideo,
} from '#server/items/lessons/video/checks-store.ts'
import {
  ASK_MS,
  askAboutVideo,
  checksVideos,
  type VideoAnswer,
} from '#server/items/lessons/video/oembed.ts'

/** Runs every minute. */
export const CHECK_VIDEOS = jobKind('checkVideos', NoPayload)

/** Time between two requests in ms, on the whole site: the job runs in one process. */
const GAP_MS = 500
/** A run ends before the next one begins. */
const RUN_MS = 55_000 - ASK_MS
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** A video that can be played is checked again after these days. */
const DAYS = 7
/** Lessons spread over a day. */
const PARTS = 97
/** After an answer that says nothing about a video, others are asked about first. */
const PUT_OFF_MS = 6 * HOUR_MS
/** The longest pause after answers that say nothing. It doubles from a minute. */
const LONGEST_PAUSE_MS = 6 * HOUR_MS
/** If more than this share of the lessons would be marked in a day, the checker is broken and not the videos. */
const MOST_SHARE = 0.02
/** On a small site these may be missing at once, if other videos can be played. */
const MOST_OF_FEW = 3

type Needs = Pick<Core, 'db' | 'clock' | 'config' | 'events'>

/** Asks about the videos that are due. Returns how many lessons it marked or unmarked. */
export async function checkVideos(
  core: Needs,
  { signal }: Pick<JobContext, 'signal'>,
  gapMs = GAP_MS,
): Promise<number> {
  const { db, clock, config, events } = core
  if (!checksVideos(config)) {
    const items = (await clearChecks(db)).map(lessonRef)
    if (items.length > 0) events.publish({ type: 'items.changed', items })
    return items.length
  }
  const { retryAt } = await readChecker(db)
  if (clock.now() < retryAt) return 0
  await addMissingChecks(db, clock.now())
  const end = performance.now() + RUN_MS
  let changed = 0
  while (!signal.aborted && performance.now() < end) {
    const now = clock.now()
    const video = await takeDueVideo(db, now, new Date(now.getTime() + PUT_OFF_MS))
    if (video === null) break
    const turn = sleep(gapMs)
    const { state } = await askAboutVideo(
      config.VIDEO_CHECK_URL,
      video.videoId,
      AbortSignal.timeout(ASK_MS),
    )
    await countFailure(db, state, now)
    if (state === 'unknown') break
    const event = await settle(core, video, state, now)
    if (event !== null) {
      events.publish(event)
      changed += 1
    }
    await turn
  }
  return changed
}

/** Pauses longer after each answer in a row that says nothing. */
async function countFailure(db: Db, state: VideoAnswer['state'], now: Date): Promise<void> {
  const checker = await readChecker(db)
  const failures = state === 'unknown' ? checker.failures + 1 : 0
  if (failures === checker.failures) return
  const pause = failures === 0 ? 0 : Math.min(2 ** (failures - 1) * MINUTE_MS, LONGEST_PAUSE_MS)
  await storeChecker(db, { ...checker, failures, retryAt: new Date(now.getTime() + pause) })
}

/** Stores an answer about a video. Returns the event if it marked or unmarked the lesson. */
async function settle(
  { db }: Pick<Needs, 'db'>,
  { lessonId, videoId }: DueVideo,
  state: 'playable' | 'gone',
  now: Date,
): Promise<Event | null> {
  const after = (ms: number) => new Date(now.getTime() + ms)
  return db.transaction().execute(async (tx) => {
    const check = await lockCheck(tx, lessonId)
    // An edit put another video in, which has become due at once.
    if (check === null || check.videoId !== videoId) return null
    const { ownerId, failedAt, goneAt } = check
    const item = lessonRef(lessonId)
    if (state === 'playable') {
      await storeCheck(tx, lessonId, {
        dueAt: after(untilNext(lessonId)),
        failedAt: null,
        goneAt: null,
      })
      return goneAt === null ? null : { type: 'items.changed', items: [item] }
    }
    const since = failedAt ?? now
    const isConfirmed = goneAt === null && now.getTime() - since.getTime() >= DAY_MS
    const marks = isConfirmed && !(await isHeld(tx, now))
    const dueAt =
      isConfirmed || goneAt !== null ? after(DAY_MS) : new Date(since.getTime() + DAY_MS)
    await storeCheck(tx, lessonId, { dueAt, failedAt: since, goneAt: marks ? now : goneAt })
    if (!marks) return null
    const event = { type: 'video.gone', item, ownerId } as const
    await record(tx, event, now)
    return event
  })
}

/** In ms: a week, and up to half a day more or less, so that lessons of one day don't stay together. */
const untilNext = (lessonId: number): number => (DAYS - 0.5 + (lessonId % PARTS) / PARTS) * DAY_MS

/**
 * Returns true if too many lessons would be marked in a day, and records it for the desk. It counts what failed
 * once as well: when a checker breaks, thousands fail once before the first one fails twice.
 */
async function isHeld(tx: Tx, now: Date): Promise<boolean> {
  const { missing, lessons } = await countMissing(tx, new Date(now.getTime() - DAY_MS))
  const most = Math.max(Math.floor(lessons * MOST_SHARE), Math.min(MOST_OF_FEW, lessons - 1))
  if (missing <= most) return false
  await storeChecker(tx, { ...(await readChecker(tx)), heldAt: now, held: missing })
  return true
}
