/** What a person tells of how far they are in a lesson. */
import { VIDEO_SECONDS } from '#contract/limits.ts'
import type { progress } from '#contract/progress.ts'
import type { ParsedOf } from '#contract/endpoint.ts'
import type { Db } from '#server/db/connect.ts'
import { PATIENCE_MS, togetherOrApart } from '#server/db/together.ts'
import { isThere, rightsOf } from '#server/items/access.ts'
import { toAsker } from '#server/items/entitlement.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { forbidden, notFound, type Refusal } from '#server/kernel/errors.ts'
import { createBatches } from '#server/kernel/queues/batches.ts'
import { storeProgress, type Telling, type Told } from '#server/progress/store.ts'

type Report = ParsedOf<typeof progress.report>

/** Of a video, after which it counts as seen. */
const LAST_PART = 0.95

/** Reports of one statement: some milliseconds of the database. */
const MOST_TOGETHER = 100

interface Needs {
  readonly db: Db
  readonly clock: Clock
}
interface Asked {
  readonly viewer: Viewer
  readonly telling: Telling
}
/** Null: it was stored. */
type Outcome = Refusal | null

/**
 * Answers a verb that stores what a person tells. Reports that come while others are being stored are stored together,
 * by one statement with one commit; of one person there is one in it. Each is stored when it is answered, and refused
 * for itself.
 * The verb throws Refusal 404 where there is no such lesson, 403 where it is not open to the person.
 */
export function createReporter(needs: Needs): (viewer: Viewer, report: Report) => Promise<void> {
  const tell = createBatches<Asked, Outcome>({
    most: MOST_TOGETHER,
    subjectOf: ({ viewer }) => viewer.id,
    patienceMs: PATIENCE_MS,
    work: (asked) =>
      togetherOrApart(asked, (some, patienceMs) => tellTogether(needs.db, some, patienceMs)),
  })
  return async (viewer, report) => answer(await tell(asAsked(viewer, report, needs.clock.now())))
}

/** The same for a single one. @throws Refusal 404, 403 */
export async function reportProgress(
  { db, clock }: Needs,
  viewer: Viewer,
  report: Report,
): Promise<void> {
  const [outcome] = await tellTogether(db, [asAsked(viewer, report, clock.now())], null)
  answer(outcome ?? null)
}

function answer(outcome: Outcome): void {
  if (outcome !== null) throw outcome
}

/** As of now, however long it waits for others. */
function asAsked(viewer: Viewer, report: Report, now: Date): Asked {
  const { administers } = toAsker(viewer)
  const { lessonId } = report
  return {
    viewer,
    telling: { viewerId: viewer.id, administers, lessonId, told: toldBy(report, now) },
  }
}

async function tellTogether(
  db: Db,
  asked: readonly Asked[],
  patienceMs: number | null,
): Promise<Outcome[]> {
  const tellings = asked.map(({ telling }) => telling)
  const entitlements = await storeProgress(db, tellings, patienceMs)
  return asked.map(({ viewer }, place) => {
    const entitlement = entitlements[place] ?? null
    if (entitlement === null || !isThere(viewer, entitlement)) return notFound('lessonNotFound')
    return rightsOf(viewer, entitlement).see ? null : forbidden()
  })
}

/** Whole seconds, none beyond the end of the video, and when it was so. */
function toldBy({ seconds, furthest, length, opened, done, ago }: Report, now: Date): Told {
  const seenAt = new Date(now.getTime() - Math.floor(ago ?? 0))
  const end = Math.min(VIDEO_SECONDS, Math.floor(length ?? 0))
  const within = (place = 0) => Math.min(Math.floor(place), end > 0 ? end : VIDEO_SECONDS)
  const reached = Math.max(within(seconds), within(furthest))
  return {
    seconds: within(seconds),
    length: seconds === undefined ? 0 : end,
    placedAt: seconds === undefined ? null : seenAt,
    furthest: reached,
    finished: end > 0 && reached >= end * LAST_PART,
    opened: opened ?? false,
    marked: done ?? null,
    markedAt: done === undefined ? null : seenAt,
    seenAt,
  }
}
