/**
 * The newest comments of lessons, read once for all who may read them. A statement that finds out what a lesson is to
 * its viewer is told what is in memory, and reads the comments only where those are others: so what was written or
 * deleted is seen at once, on other nodes too.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Comment } from '#contract/comments.ts'
import { createAnswerCache } from '#server/items/caches/answer-cache.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Change } from '#server/kernel/changes.ts'
import type { Core } from '#server/kernel/core.ts'
import { newestComments, toComments, type CommentColumns } from '#server/lessons/comments.ts'

/** By which a statement sees whether the comments in memory are those of the lesson. */
export type Known = {
  /** How many comments the lesson has, and the id of the newest; null: none are in memory, or there is none. */
  readonly knownCount: number | null
  readonly knownNewest: number | null
}

interface Discussion extends Known {
  /** As somebody reads them who wrote none of them. */
  readonly comments: readonly Comment[]
  /** Who wrote each. */
  readonly writers: readonly string[]
}

/** What a statement gives of a lesson's comments. */
interface Found {
  readonly id: number
  /** How many there are. */
  readonly comments: number
  /** Null where those in memory are the lesson's, and where it was plain that the viewer may not see them. */
  readonly newest: CommentColumns | null
}

export interface Discussions {
  /**
   * To be called before the statement, which is given `known`. `shownTo` answers what the viewer sees of a lesson whose
   * comments they may read.
   */
  begin(lessonId: number): {
    readonly known: Known
    shownTo(viewer: Viewer | null, found: Found): Comment[]
  }
}

/**
 * Lessons whose comments are in memory, some 20 KB each. What other nodes write is found by `Known`; of their names and
 * pictures it is heard after so long, as on the pages of guests.
 */
const BOUNDS = { most: 500, freshMs: 1000 }

/** After these any comment may look different. */
const DROP_ALL: ReadonlySet<Change['kind']> = new Set([
  'personRenamed',
  'personErased',
  'changesMissed',
])
const NOTHING: Known = { knownCount: null, knownNewest: null }

/** An empty cache; it follows the bus from now on. */
export function createDiscussions({
  clock,
  changes,
}: Pick<Core, 'clock' | 'changes'>): Discussions {
  const cache = createAnswerCache<Discussion>(clock, BOUNDS)
  changes.subscribe((change) => {
    // A name or picture stands beside each comment.
    if (DROP_ALL.has(change.kind)) cache.drop()
    if (change.kind !== 'itemsChanged' && change.kind !== 'numbersChanged') return
    const ids = change.items.flatMap(({ kind, id }) => (kind === 'lesson' ? [String(id)] : []))
    const changed = new Set(ids)
    if (changed.size > 0) cache.drop((_, key) => changed.has(key))
  })
  return {
    begin: (lessonId) => {
      const store = cache.begin()
      const cached = cache.peek(String(lessonId))
      return {
        known: cached ?? NOTHING,
        shownTo: (viewer, { id, comments, newest }) => {
          if (newest === null) return cached === undefined ? [] : commentsOf(cached, viewer)
          const read = toDiscussion(newest, comments)
          store(String(id), read)
          return commentsOf(read, viewer)
        },
      }
    },
  }
}

function toDiscussion(columns: CommentColumns, count: number): Discussion {
  const comments = toComments(columns, null)
  const knownNewest = columns.id?.[0] ?? null
  return { comments, writers: columns.user_id ?? [], knownCount: count, knownNewest }
}

/** `mine` says whether a comment is the viewer's. */
function commentsOf({ comments, writers }: Discussion, viewer: Viewer | null): Comment[] {
  if (viewer === null || !writers.includes(viewer.id)) return [...comments]
  return comments.map((comment, place) =>
    writers[place] === viewer.id ? { ...comment, mine: true } : comment,
  )
}

/** The newest comments of a lesson as `newestComments` reads them; null where what is known are the same. */
export function unknownComments(
  lesson: { readonly id: RawBuilder<unknown>; readonly count: RawBuilder<unknown> },
  { knownCount, knownNewest }: Known,
): RawBuilder<CommentColumns | null> {
  return sql<CommentColumns | null>`case
    when ${lesson.count} is distinct from ${knownCount}::integer or (
      select m.id from comments m where m.lesson_id = ${lesson.id} and m.deleted_at is null
      order by m.id desc limit 1
    ) is distinct from ${knownNewest}::bigint then ${newestComments(lesson.id)}
  end`
}
