/** Records events (platform/events/events.ts) as happenings for the people they concern. */
import { sql } from 'kysely'
import type { ItemKind } from '#contract/points.ts'
import type { Tx } from '#server/platform/db/connect.ts'
import { TABLES } from '#server/items/shared/tables.ts'
import type { Events, Happening } from '#server/platform/events/events.ts'
import { happened } from '#server/platform/events/happening.ts'

/** Records happenings before the other listeners receive the event. */
export function withNotices(others: Events): Events {
  return {
    record: async (tx, happening) => {
      if (happening.ids.length > 0) await note(tx, happening)
      await others.record(tx, happening)
    },
  }
}

/** The moderation log records suspensions. */
async function note(tx: Tx, happening: Happening): Promise<void> {
  const { type, ids, at } = happening
  switch (type) {
    case 'comment.created':
      await noteComments(tx, ids, at)
      break
    case 'rating.created':
      await noteRatings(tx, ids, at)
      break
    case 'lesson.published':
    case 'course.published':
      await notePublished(tx, type === 'lesson.published' ? 'lesson' : 'course', ids, at)
      break
    case 'lesson.sold':
    case 'course.sold':
      await noteSold(tx, type === 'lesson.sold' ? 'lesson' : 'course', happening)
      break
    default:
  }
}

/**
 * Notifies the lesson's owner and the author of the comment replied to. A person who is both gets the notice of
 * the reply.
 */
async function noteComments(tx: Tx, ids: Happening['ids'], at: Date): Promise<void> {
  const common = {
    actors: sql`array[m.user_id]`,
    item: { kind: 'lesson', id: sql`m.lesson_id` },
    comment: sql`m.id`,
    at,
  } as const
  await happened({
    ...common,
    kind: 'commented',
    person: sql`l.owner_id`,
    from: sql`comments m join lessons l on l.id = m.lesson_id left join comments asked on asked.id = m.reply_to
      where m.id = any(${ids}::bigint[]) and l.owner_id <> m.user_id and asked.user_id is distinct from l.owner_id`,
  }).execute(tx)
  await happened({
    ...common,
    kind: 'answered',
    person: sql`asked.user_id`,
    from: sql`comments m join comments asked on asked.id = m.reply_to
      where m.id = any(${ids}::bigint[]) and asked.user_id <> m.user_id and asked.deleted_at is null`,
  }).execute(tx)
}

/** Notifies the author of the rated item, who can't rate it. */
async function noteRatings(tx: Tx, ids: Happening['ids'], at: Date): Promise<void> {
  await happened({
    kind: 'rated',
    person: sql`coalesce(l.owner_id, k.owner_id)`,
    actors: sql`array[r.user_id]`,
    item: {
      kind: sql`case when r.lesson_id is null then 'course' else 'lesson' end`,
      id: sql`coalesce(r.lesson_id, r.course_id)`,
    },
    at,
    from: sql`ratings r left join lessons l on l.id = r.lesson_id left join courses k on k.id = r.course_id
      where r.id = any(${ids}::bigint[])`,
  }).execute(tx)
}

/** Notifies the author of the sold item, with their share. */
async function noteSold(tx: Tx, kind: ItemKind, { ids, buyerId, at }: Happening): Promise<void> {
  const { narrow, purchases, id } = TABLES[kind]
  await happened({
    kind: 'sold',
    person: sql`i.owner_id`,
    actors: sql`array[p.user_id]`,
    item: { kind, id: sql`i.id` },
    detail: sql`'share'`,
    amount: sql`p.share`,
    at,
    from: sql`${sql.table(purchases)} p join ${sql.table(narrow)} i on i.id = p.${sql.ref(id)}
      where p.user_id = ${buyerId}::uuid and i.id = any(${ids}::bigint[])`,
  }).execute(tx)
}

async function notePublished(
  tx: Tx,
  kind: ItemKind,
  ids: Happening['ids'],
  at: Date,
): Promise<void> {
  const items = sql.table(TABLES[kind].narrow)
  await happened({
    kind: 'published',
    person: sql`i.owner_id`,
    actors: sql`array[i.owner_id]`,
    item: { kind, id: sql`i.id` },
    at,
    from: sql`${items} i where i.id = any(${ids}::bigint[])`,
  }).execute(tx)
}
