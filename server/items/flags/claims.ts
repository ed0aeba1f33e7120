/**
 * Reports of copies: the author of an older lesson says "This is mine", and moderators compare both lessons and decide.
 */
import { sql } from 'kysely'
import type { Comparison, CopyOutcome } from '#contract/flags.ts'
import type { Action } from '#contract/moderation.ts'
import type { Db, Tx } from '#server/platform/db/connect.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { conflict, invalidField, notFound } from '#server/kernel/errors.ts'
import { articleText, cleanArticle } from '#server/items/lessons/article.ts'
import { hideLesson, lockReadableLesson, showLesson } from '#server/items/lessons/store.ts'
import {
  findDecidedClaim,
  isDecidedLater,
  isRemovedAsCopy,
  lockClaim,
  settleClaim,
  type Claim,
} from '#server/items/flags/store.ts'
import { logAct } from '#server/people/moderation/log.ts'
import { clearLesson, overruleClearing, undoClearing } from '#server/people/points/clearings.ts'
import { findShared, jaccard, shinglesOf } from '#server/people/points/resemblance.ts'
import {
  findLastWithdrawal,
  returnRewards,
  withdrawLessonReward,
} from '#server/people/points/rewards.ts'

/** Returns the author's own older lesson that this one resembled when it was published or edited, or null. */
export async function findClaimable(
  db: Db,
  lessonId: number,
  authorId: string,
): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select o.id from lesson_fingerprints f
    join lessons l on l.id = f.lesson_id and l.deleted_at is null
    join lessons o on o.id = f.original_id and o.owner_id = ${authorId}
    where f.lesson_id = ${lessonId} and f.author_id <> ${authorId}
    order by f.gone_at is not null, f.id limit 1`.execute(db)
  return rows[0]?.id ?? null
}

/** Returns both articles with what they have in common, or null for other reports. */
export async function compareLessons(db: Db, id: number): Promise<Comparison | null> {
  const { rows } = await sql<{
    isOriginal: boolean
    id: number | null
    title: string
    article: string
  }>`
    select side.is_original as "isOriginal", c.lesson_id as id, c.title, c.article
    from flags f
    cross join lateral (values (false, f.subject_id::bigint), (true, f.original_id)) side (is_original, lesson_id)
    left join lesson_contents c on c.lesson_id = side.lesson_id
    where f.id = ${id} and f.kind = 'lesson' and f.original_id is not null`.execute(db)
  if (rows.length === 0) return null
  const sideOf = (isOriginal: boolean) => {
    const row = rows.find((side) => side.isOriginal === isOriginal)
    if (row === undefined || row.id === null) return null
    const text = articleText(cleanArticle(row.article))
    return { id: row.id, title: row.title, text, shingles: shinglesOf(text) }
  }
  const [lesson, original] = [sideOf(false), sideOf(true)]
  type Side = NonNullable<typeof lesson>
  const toCompared = (side: Side | null, other: Side | null) =>
    side && {
      id: side.id,
      title: side.title,
      article: {
        text: side.text,
        places: other === null ? [] : findShared(side.text, other.shingles),
      },
    }
  return {
    likeness: lesson && original && jaccard(lesson.shingles, original.shingles),
    lesson: toCompared(lesson, original),
    original: toCompared(original, lesson),
  }
}

const ACTIONS = {
  copy: 'copyConfirmed',
  fine: 'copyDenied',
  removed: 'copyRemoved',
} as const satisfies Record<CopyOutcome, Action>

interface Decision {
  readonly id: number
  /** Undefined undoes the decision. */
  readonly outcome?: CopyOutcome | undefined
  readonly reason?: string | undefined
}

/**
 * Decides a reported copy, undoing an earlier decision. The same decision again changes nothing. Returns the lesson's
 * id. The order of the locks is report, lesson, balance.
 * @throws Refusal 404 for other reports and for deleted lessons, 400 for a removal without a reason
 */
export async function decideClaim(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  viewer: Viewer,
  { id, outcome, reason }: Decision,
): Promise<number> {
  if (outcome === 'removed' && reason === undefined) throw invalidField('reason', 'reasonValMs')
  return db.transaction().execute(async (tx) => {
    const claim = await lockClaim(tx, id)
    if (claim === null) throw notFound()
    const { lessonId, reporterId } = claim
    if (claim.outcome === (outcome ?? null)) return lessonId
    const lesson = await lockReadableLesson(tx, lessonId)
    if (lesson === null) throw notFound('lessonNotFound')
    const { ownerId, title, tags } = lesson
    // Decisions in the same millisecond need different times, because the time identifies the entries to undo.
    const last = await findLastWithdrawal(tx, { lessonId, userId: ownerId })
    const at = new Date(Math.max(clock.now().getTime(), (last?.getTime() ?? 0) + 1))
    const act = { actorId: viewer.id, subjectId: lessonId, subject: title, personId: ownerId, at }
    if (claim.outcome !== null) await undo(tx, claim, { ownerId, tags, at })
    if (outcome === undefined) {
      await settleClaim(tx, id, null)
      await logAct(tx, { ...act, action: 'copyUndone', alsoId: reporterId })
      return lessonId
    }
    if (outcome !== 'fine')
      await withdrawLessonReward(tx, { lessonId, title, at }, occurrenceOf(id, at))
    if (outcome === 'removed') await hideLesson(tx, lessonId, at)
    if (outcome === 'fine') await clearLesson(tx, claim, at)
    else await overruleClearing(tx, claim, at)
    await settleClaim(tx, id, { outcome, by: viewer.id, at })
    const action = ACTIONS[outcome]
    await logAct(tx, { ...act, action, alsoId: reporterId, reason: reason ?? null })
    return lessonId
  })
}

/**
 * Undoes the decision of that time that a lesson is a copy, for an appeal. Returns false if the lesson was deleted. Does
 * nothing if the decision was taken back or changed. The order of the locks is that of `decideClaim`.
 */
export async function reverseClaim(
  tx: Tx,
  viewer: Viewer,
  given: { readonly lessonId: number; readonly decidedAt: Date; readonly at: Date },
): Promise<boolean> {
  const { lessonId, decidedAt, at } = given
  const decided = await findDecidedClaim(tx, lessonId, decidedAt)
  const claim = decided === null ? null : await lockClaim(tx, decided)
  if (claim?.closedAt?.getTime() !== decidedAt.getTime()) return true
  const lesson = await lockReadableLesson(tx, lessonId)
  if (lesson === null) return false
  const { ownerId, title, tags } = lesson
  await undo(tx, claim, { ownerId, tags, at })
  await clearLesson(tx, claim, at)
  await settleClaim(tx, claim.id, { outcome: 'fine', by: viewer.id, at })
  const act = { actorId: viewer.id, subjectId: lessonId, subject: title, personId: ownerId, at }
  await logAct(tx, { ...act, action: 'copyDenied', alsoId: claim.reporterId })
  return true
}

const occurrenceOf = (id: number, at: Date) => `report ${id} ${at.toISOString()}`

async function undo(
  tx: Tx,
  claim: Claim,
  lesson: { readonly ownerId: string; readonly tags: readonly string[]; readonly at: Date },
): Promise<void> {
  const { id, lessonId, outcome, closedAt } = claim
  const { ownerId: userId, tags, at } = lesson
  if (outcome !== 'fine' && (await isDecidedLater(tx, claim))) throw conflict('copyDecidedLater')
  if (outcome === 'fine' && closedAt !== null) await undoClearing(tx, claim, closedAt)
  else await overruleClearing(tx, claim, null)
  if (outcome === 'removed' && !(await isRemovedAsCopy(tx, lessonId, id)))
    await showLesson(tx, lessonId, tags)
  if (outcome !== 'fine' && closedAt !== null)
    await returnRewards(tx, { userId, at }, occurrenceOf(id, closedAt))
}
