/**
 * Caches the newest comments of lessons for everybody who may read them. The statement that reads a lesson gets
 * the count and newest id of the cached comments and reads comments only if these differ, so that changes on other
 * nodes are visible immediately.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Comment } from '#contract/comments.ts'
import { createAnswerCache } from '#server/items/shared/caches/answer-cache.ts'
import type { Viewer } from '#server/kernel/call.ts'
import { isStale, itemsOf } from '#server/platform/events/catalogue.ts'
import type { Core } from '#server/platform/core/core.ts'
import { newestComments, toComments, type CommentColumns } from '#server/items/lessons/comments.ts'

/** With these a statement checks whether the cached comments are up to date. */
export type Known = {
  /** Count and newest id of the lesson's comments; null if nothing is cached or there are none. */
  readonly knownCount: number | null
  readonly knownNewest: number | null
}

interface Discussion extends Known {
  /** As they look to somebody who wrote none of them. */
  readonly comments: readonly Comment[]
  /** The writer's id of each comment. */
  readonly writers: readonly string[]
}

interface Found {
  readonly id: number
  /** Number of comments. */
  readonly comments: number
  /** Null if the cached comments are up to date, or if the viewer certainly can't read them. */
  readonly newest: CommentColumns | null
}

export interface Discussions {
  /** Call it before the statement, which gets `known`. `shownTo` returns the comments for an entitled viewer. */
  begin(lessonId: number): {
    readonly known: Known
    shownTo(viewer: Viewer | null, found: Found): Comment[]
  }
}

/**
 * The comments of one lesson take about 20 KB. `Known` detects comments of other nodes; changed names and pictures
 * appear after `freshMs` at the latest, as on guests' pages.
 */
const BOUNDS = { most: 500, freshMs: 1000 }

const NOTHING: Known = { knownCount: null, knownNewest: null }

export function createDiscussions({ clock, events }: Pick<Core, 'clock' | 'events'>): Discussions {
  const cache = createAnswerCache<Discussion>(clock, BOUNDS)
  events.subscribe((event) => {
    // Names and pictures are part of the cached comments.
    if (isStale(event, 'names')) cache.drop()
    if (!isStale(event, 'items', 'numbers')) return
    const ids = itemsOf(event).flatMap(({ kind, id }) => (kind === 'lesson' ? [String(id)] : []))
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

/** Sets `mine` on the viewer's comments. */
function commentsOf({ comments, writers }: Discussion, viewer: Viewer | null): Comment[] {
  if (viewer === null || !writers.includes(viewer.id)) return [...comments]
  return comments.map((comment, place) =>
    writers[place] === viewer.id ? { ...comment, mine: true } : comment,
  )
}

/** Selects the newest comments of a lesson like `newestComments`, or null if `known` is up to date. */
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
