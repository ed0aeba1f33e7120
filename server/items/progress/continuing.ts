/** Items to continue with, as an SQL fragment that its own call and the home page share. */
import { sql, type RawBuilder } from 'kysely'
import { CAROUSEL_ITEMS } from '#contract/limits.ts'
import type { ItemKind } from '#contract/points.ts'
import type { ContinueItem } from '#contract/progress.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { coverOf } from '#server/items/shared/cover.ts'
import {
  isBought,
  isFreePreview,
  isOpenThroughCourse,
  isReadable,
} from '#server/items/shared/entitlement.ts'
import { isDone } from '#server/items/progress/store.ts'

/** Only this many lessons that were opened last are considered, so a long history costs no more. */
const LOOKED_AT = sql.lit(100)
const SHOWN = sql.lit(CAROUSEL_ITEMS)

/** The fragment's representation of an item. */
export interface Begun {
  readonly kind: ItemKind
  readonly id: number
  readonly title: string
  readonly picture: string | null
  /** A course's lessons in their order, with the time when each was last opened. */
  readonly parts: readonly {
    readonly id: number
    readonly done: boolean
    readonly at: string | null
  }[]
  readonly done: boolean
  readonly seconds: number
  readonly length: number
  readonly opened: string | null
  readonly date: string | null
}

/**
 * A JSON array of up to 8 `Begun`, without the viewer's own items. A lesson appears alone unless it is in a course
 * that the viewer bought. Reads `lesson_progress_newest` for begun items, `*_purchases_newest` for others, and the
 * key of `lesson_progress` to count what is done.
 */
export function begunBy(viewerId: string): RawBuilder<readonly Begun[]> {
  const done = isDone('p')
  return sql<readonly Begun[]>`(
    with recent as materialized (
      select p.lesson_id, p.seen_at, p.seconds, p.length, ${done} as done from lesson_progress p
      where p.user_id = ${viewerId} order by p.seen_at desc, p.lesson_id desc limit ${LOOKED_AT}
    ), begun as materialized (
      select r.*, held.course_id from recent r
      join lessons l on l.id = r.lesson_id and ${isReadable('l')} and l.owner_id <> ${viewerId}::uuid
      left join lateral (
        select part.course_id from course_lessons part
        join course_purchases sale on sale.course_id = part.course_id and sale.user_id = ${viewerId}
        join courses k on k.id = part.course_id and ${isReadable('k')}
        where part.lesson_id = r.lesson_id order by sale.created_at desc limit 1
      ) held on true
      where held.course_id is not null or ${isBought(sql`${viewerId}`)} or ${isOpenThroughCourse(sql`${viewerId}`)}
        or (l.deleted_at is null and ${isFreePreview('l')})
    ), items as (
      select 'lesson' as kind, lesson_id as id, seconds, length, done, seen_at, null::timestamptz as date
      from begun where course_id is null
      union all
      select 'course', course_id, 0, 0, false, max(seen_at), null from begun group by course_id having course_id is not null
      union all
      (select 'lesson', s.lesson_id, coalesce(p.seconds, 0), coalesce(p.length, 0), coalesce(${done}, false), p.seen_at, s.created_at
        from lesson_purchases s join lessons l on l.id = s.lesson_id and ${isReadable('l')}
        left join lesson_progress p on p.user_id = s.user_id and p.lesson_id = s.lesson_id
        where s.user_id = ${viewerId} and not exists (select from begun where begun.lesson_id = s.lesson_id)
        order by s.created_at desc, s.lesson_id desc limit ${SHOWN})
      union all
      (select 'course', s.course_id, 0, 0, false, null, s.created_at
        from course_purchases s join courses k on k.id = s.course_id and ${isReadable('k')}
        where s.user_id = ${viewerId} and not exists (select from begun where begun.course_id = s.course_id)
        order by s.created_at desc, s.course_id desc limit ${SHOWN})
    ), measured as (
      select items.kind, items.id, items.seconds, items.length, items.date,
        coalesce(items.seen_at, inside.at) as opened, inside.parts,
        case when items.kind = 'lesson' then items.done else inside.done end as done
      from items left join lateral (
        select json_agg(json_build_object('id', part.lesson_id, 'done', coalesce(${done}, false), 'at', p.seen_at)
            order by part.position) as parts,
          bool_and(coalesce(${done}, false)) as done, max(p.seen_at) as at
        from course_lessons part
        left join lesson_progress p on p.user_id = ${viewerId} and p.lesson_id = part.lesson_id
        where items.kind = 'course' and part.course_id = items.id
      ) inside on true
    ), shown as (
      select * from measured
      order by coalesce(done, false), opened desc nulls last, date desc, kind, id desc limit ${SHOWN}
    )
    select coalesce(json_agg(json_build_object(
        'kind', shown.kind, 'id', shown.id, 'title', coalesce(lc.title, cc.title), 'picture', cover.key,
        'parts', coalesce(shown.parts, '[]'), 'done', coalesce(shown.done, false), 'seconds', shown.seconds,
        'length', shown.length, 'opened', shown.opened, 'date', shown.date
      ) order by coalesce(shown.done, false), shown.opened desc nulls last, shown.date desc, shown.kind, shown.id desc), '[]')
    from shown
    left join lesson_contents lc on shown.kind = 'lesson' and lc.lesson_id = shown.id
    left join course_contents cc on shown.kind = 'course' and cc.course_id = shown.id
    left join pictures cover on cover.id = coalesce(lc.picture_id, cc.picture_id)
  )`
}

export async function readContinue(db: Db, viewerId: string): Promise<ContinueItem[]> {
  const { rows } = await sql<{ items: readonly Begun[] }>`
    select ${begunBy(viewerId)} as items`.execute(db)
  return (rows[0]?.items ?? []).map(toContinue)
}

/** Converts an item to the contract's type. */
export function toContinue({ picture, parts, opened, date, ...item }: Begun): ContinueItem {
  const { kind, id, title, seconds, length, done } = item
  return {
    kind,
    id,
    title,
    seconds,
    length,
    thumbnail: coverOf(kind, id, picture, 320),
    lessons: parts.map((part) => part.id),
    done: kind === 'lesson' ? (done ? [id] : []) : idsOf(parts.filter((part) => part.done)),
    next: nextOf(parts),
    opened: opened === null ? null : new Date(opened).toISOString(),
    date: date === null ? null : new Date(date).toISOString(),
  }
}

const idsOf = (parts: Begun['parts']) => parts.map(({ id }) => id)

/** Returns the lesson that was opened last, unless it is done; otherwise the first that isn't. */
function nextOf(parts: Begun['parts']): number | null {
  const [last] = parts
    .filter(({ at }) => at !== null)
    .toSorted((one, other) => Date.parse(other.at ?? '') - Date.parse(one.at ?? ''))
  if (last?.done === false) return last.id
  return (parts.find(({ done }) => !done) ?? last)?.id ?? null
}
