/**
 * Comments are written many at a time: those that come while a transaction is under way share the next one, with its
 * locks, its counts, its job and its commit. Each is stored, counted and visible to everybody when it is answered.
 */
import type { Comment } from '#contract/comments.ts'
import { judgeLater } from '#server/comments/judging.ts'
import {
  findDraftComment,
  insertComments,
  lockWriters,
  lockWritings,
  type NewComment,
  type Writing,
} from '#server/comments/store.ts'
import { addToCommentCounts } from '#server/courses/store.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { waitForLocksUpTo } from '#server/db/locks.ts'
import { PATIENCE_MS, togetherOrApart } from '#server/db/together.ts'
import { isThere, rightsOf } from '#server/items/access.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { courseRef, lessonRef, type Changes } from '#server/kernel/changes.ts'
import type { Events } from '#server/kernel/events.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { forbidden, invalidField, Refusal } from '#server/kernel/errors.ts'
import { createBatches } from '#server/kernel/queues/batches.ts'
import { toComment, type CommentRow } from '#server/lessons/comments.ts'
import { lessonGone } from '#server/lessons/writing.ts'

export interface WritingNeeds {
  readonly db: Db
  readonly clock: Clock
  /** False: people write as fast as they like (RATE_LIMITS). */
  readonly limited: boolean
  readonly events: Events
}

export interface CommentDraft {
  readonly lessonId: number
  readonly text: string
  readonly draftId?: string | undefined
  readonly replyTo?: number | undefined
}

interface Asked extends CommentDraft {
  readonly viewer: Viewer
}

/** What came of one comment; an error is its own and not that of the others. */
type Outcome = CommentRow | Error

interface Written {
  readonly outcomes: readonly Outcome[]
  /** Courses whose number has moved. */
  readonly courses: readonly number[]
}

/** Comments a minute; who types them stays far below. */
const MOST_A_MINUTE = 10
const MINUTE_MS = 60_000
/** Comments of a transaction: some milliseconds of the database. */
const MOST_TOGETHER = 100

/**
 * Answers a verb that writes a comment: a draft that comes again answers its first result and changes nothing. What
 * has moved is published after the commit.
 * The verb throws Refusal 404 when there is no such lesson, 403 for who may not comment on it, 400 for an answer to
 * what can't be answered, 429 for who writes in
 * haste.
 */
export function createCommentWriter(
  needs: WritingNeeds & { readonly changes: Changes },
): (viewer: Viewer, draft: CommentDraft) => Promise<Comment> {
  const writePart = async (asked: readonly Asked[], patienceMs: number | null) => {
    const { outcomes, courses } = await writeTogether(needs, asked, patienceMs)
    const written = asked.filter((_, place) => !(outcomes[place] instanceof Error))
    const lessons = new Set(written.map(({ lessonId }) => lessonId))
    const items = [...[...lessons].map(lessonRef), ...courses.map(courseRef)]
    if (items.length > 0) needs.changes.publish({ kind: 'numbersChanged', items })
    return outcomes
  }
  const write = createBatches<Asked, Outcome>({
    most: MOST_TOGETHER,
    subjectOf: ({ viewer }) => viewer.id,
    patienceMs: PATIENCE_MS,
    work: (asked) => togetherOrApart(asked, writePart, ({ lessonId }) => lessonId),
  })
  return async (viewer, draft) => toAnswer(await write({ ...draft, viewer }), viewer)
}

/** The same for a single one, of which nobody is notified. @throws Refusal 404, 403, 429 */
export async function createComment(
  needs: WritingNeeds,
  viewer: Viewer,
  draft: CommentDraft,
): Promise<Comment> {
  const { outcomes } = await writeTogether(needs, [{ ...draft, viewer }], null)
  return toAnswer(outcomes[0] ?? lessonGone(), viewer)
}

function toAnswer(outcome: Outcome, viewer: Viewer): Comment {
  if (outcome instanceof Error) throw outcome
  return toComment(outcome, viewer)
}

/** In one transaction; each of other people. `patienceMs`: for a lock, less than a statement has. */
function writeTogether(
  { db, clock, limited, events }: WritingNeeds,
  asked: readonly Asked[],
  patienceMs: number | null,
): Promise<Written> {
  const at = clock.now()
  const wanted = asked.map(({ viewer, lessonId, text, draftId, replyTo }): NewComment => ({
    userId: viewer.id,
    lessonId,
    text,
    draftId,
    replyTo,
  }))
  return db.transaction().execute(async (tx) => {
    if (patienceMs !== null) await waitForLocksUpTo(tx, patienceMs)
    // One person's comments take turns on all nodes: of many at once each counts those before it.
    if (limited)
      await lockWriters(
        tx,
        asked.map(({ viewer }) => viewer.id),
      )
    const writings = await lockWritings(tx, wanted, limited ? MOST_A_MINUTE - 1 : null)
    const refusals = asked.map(({ viewer }, place) => refusalOf(viewer, writings[place], at))
    const drafts = wanted.filter(
      (_, place) => refusals[place] === null && writings[place]?.isKnown !== true,
    )
    const { rows, courses } = await add(tx, drafts, at)
    const ids = [...rows.values()].map(({ id }) => id)
    await events.record(tx, { type: 'comment.created', ids, at })
    const outcomes: Outcome[] = []
    for (const [place, { userId, draftId }] of wanted.entries()) {
      const refusal = refusals[place] ?? null
      const row = rows.get(userId)
      outcomes.push(
        refusal ?? row ?? (await findDraftComment(tx, userId, draftId ?? '')) ?? lessonGone(),
      )
    }
    return { outcomes, courses }
  })
}

/** Inserts and counts, and has them judged once the transaction has committed. */
async function add(
  tx: Tx,
  drafts: readonly NewComment[],
  at: Date,
): Promise<{ rows: ReadonlyMap<string, CommentRow>; courses: readonly number[] }> {
  if (drafts.length === 0) return { rows: new Map(), courses: [] }
  const rows = await insertComments(tx, drafts, at)
  if (rows.length === 0) return { rows: new Map(), courses: [] }
  // A statement of its own: only now, with the lessons locked, is it sure which courses hold them.
  const courses = await addToCommentCounts(
    tx,
    rows.map((row) => ({ lessonId: row.lesson_id, delta: 1 })),
  )
  await judgeLater(
    tx,
    rows.map(({ id }) => id),
  )
  return { rows: new Map(rows.map((row) => [row.user_id, row])), courses }
}

function refusalOf(viewer: Viewer, writing: Writing | undefined, at: Date): Refusal | null {
  if (writing === undefined) return lessonGone()
  if (writing.isKnown) return null
  if (!writing.isThere || !isThere(viewer, writing)) return lessonGone()
  if (!rightsOf(viewer, writing).comment) return forbidden()
  if (!writing.isAnswerable) return invalidField('replyTo', 'commentNoReply')
  const wait = writing.tenthAt === null ? 0 : writing.tenthAt.getTime() + MINUTE_MS - at.getTime()
  return wait > 0
    ? new Refusal(429, 'commentsTooFast', { retryAfter: Math.ceil(wait / 1000) })
    : null
}
