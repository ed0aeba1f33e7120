import { VIDEO_SECONDS } from '#contract/limits.ts'
import type { progress } from '#contract/progress.ts'
import type { ParsedOf } from '#contract/endpoint.ts'
import type { Db, DbOrTx } from '#server/platform/db/connect.ts'
import { rightsOf } from '#server/items/shared/access.ts'
import { findEntitlement, holdLesson } from '#server/items/shared/entitlement.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { forbidden, notFound } from '#server/kernel/errors.ts'
import { storeProgress, type StoredReport } from '#server/items/progress/store.ts'

type Report = ParsedOf<typeof progress.report>

/** A video counts as seen from this part of its length on. */
const LAST_PART = 0.95

/** @throws Refusal 404 when there is no such lesson, 403 when it is not open to the person */
export async function reportProgress(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  viewer: Viewer,
  report: Report,
): Promise<void> {
  const { lessonId } = report
  const stored = toStored(report, clock.now())
  const store = async (within: DbOrTx) => {
    const entitlement = await findEntitlement(within, lessonId, viewer)
    if (entitlement === null) throw notFound('lessonNotFound')
    if (!rightsOf(viewer, entitlement).see) throw forbidden()
    await storeProgress(within, viewer.id, lessonId, stored)
  }
  if (!stored.finished && stored.marked !== true) return store(db)
  // A lesson that is done can't be returned, so a return must be over or wait.
  await db.transaction().execute(async (tx) => {
    await holdLesson(tx, lessonId)
    await store(tx)
  })
}

/** Rounds to whole seconds within the length of the video, and computes the time of the report. */
function toStored(
  { seconds, furthest, length, opened, done, ago }: Report,
  now: Date,
): StoredReport {
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
    receivedAt: now,
  }
}
