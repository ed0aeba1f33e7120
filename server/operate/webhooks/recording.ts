/** Turns happenings into events and deliveries in the same transaction. */
import { sql, type RawBuilder } from 'kysely'
import type { WebhookEvent } from '#contract/webhooks.ts'
import type { DbOrTx, Tx } from '#server/platform/db/connect.ts'
import { addJobsLater } from '#server/platform/jobs/queue.ts'
import type { Changes } from '#server/platform/events/changes.ts'
import type { Events, Happening } from '#server/platform/events/events.ts'
import { DELIVER_WEBHOOK, queueOf } from '#server/operate/webhooks/delivering.ts'

/** Cached endpoints expire after this time in ms, in case a notification from another node was lost. */
const KNOWN_MS = 5000
/** With the queue's delays of e^n seconds, at most 6 h, the last attempt is 34 hours after the first. */
export const ATTEMPTS = 15

/** Subscribes to the bus. The wanted events are read again after a change, and every five seconds. */
export function createEvents(changes: Changes, publicUrl: string): Events {
  let changed = 0
  let known: { readonly types: ReadonlySet<string>; readonly at: number } | null = null
  changes.subscribe(({ type }) => {
    if (type === 'webhooks.changed' || type === 'changes.missed') {
      changed += 1
      known = null
    }
  })
  const isWanted = async (db: DbOrTx, type: WebhookEvent) => {
    if (known !== null && performance.now() - known.at <= KNOWN_MS) return known.types.has(type)
    const before = changed
    const found = { types: await findWantedTypes(db), at: performance.now() }
    // Discards a result that was read during a change.
    if (changed === before) known = found
    return found.types.has(type)
  }
  return {
    record: async (tx, happening) => {
      if (happening.ids.length === 0 || !(await isWanted(tx, happening.type))) return
      const deliveries = await insertEvents(tx, happening, publicUrl)
      for (const [host, ids] of Map.groupBy(deliveries, (each) => each.host))
        await addJobsLater(
          tx,
          DELIVER_WEBHOOK,
          ids.map(({ id }) => ({ id })),
          { attempts: ATTEMPTS, yields: true, queue: queueOf(host) },
        )
    },
  }
}

async function findWantedTypes(db: DbOrTx): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ type: string }>`
    select distinct unnest(events) as type from webhook_endpoints where enabled`.execute(db)
  return new Set(rows.map(({ type }) => type))
}

/** Inserts the data of each event, and the people that it names. */
async function insertEvents(
  tx: Tx,
  happening: Happening,
  publicUrl: string,
): Promise<{ id: number; host: string }[]> {
  const { type, at } = happening
  const { rows } = await sql<{ id: number; host: string }>`
    with happened as materialized (${describe(happening, publicUrl)}), listening as materialized (
      select id, host from webhook_endpoints where enabled and ${type} = any(events)
    ), event as (
      insert into webhook_events (id, type, data, people, happened_at)
      select gen_random_uuid(), ${type}, data, people, ${at}::timestamptz from happened
      where exists (select from listening)
      returning id
    ), delivery as (
      insert into webhook_deliveries (event_id, endpoint_id)
      select event.id, listening.id from event cross join listening
      returning id, endpoint_id
    )
    select delivery.id, listening.host from delivery join listening on listening.id = delivery.endpoint_id
    order by delivery.id`.execute(tx)
  return rows
}

/** Rows of `data` and `people`. They contain ids and public information only, no texts and no e-mail addresses. */
function describe({ type, ids, buyerId }: Happening, publicUrl: string): RawBuilder<unknown> {
  switch (type) {
    case 'lesson.published':
    case 'lesson.sold':
      return ofItem({ kind: 'lesson', table: 'lessons', ids, buyerId }, publicUrl)
    case 'course.published':
    case 'course.sold':
      return ofItem({ kind: 'course', table: 'courses', ids, buyerId }, publicUrl)
    case 'comment.created':
      return sql`
        select json_build_object(
          'comment', json_build_object('id', m.id),
          'lesson', ${itemJson('lesson', publicUrl)},
          'author', ${personJson(sql`a`, publicUrl)}
        ) as data, array[m.user_id, i.owner_id] as people
        from comments m join lessons i on i.id = m.lesson_id join lesson_contents c on c.lesson_id = i.id
        join users a on a.id = m.user_id where m.id = any(${ids}::bigint[])`
    case 'rating.created':
      return sql`
        select json_build_object('rating', json_build_object('id', r.id, 'stars', r.stars))::jsonb
            || json_build_object(item.kind, item.told, 'author', ${personJson(sql`a`, publicUrl)})::jsonb as data,
          array[r.user_id, item.owner_id] as people
        from ratings r join users a on a.id = r.user_id join lateral (
          select 'lesson' as kind, ${itemJson('lesson', publicUrl)} as told, i.owner_id
          from lessons i join lesson_contents c on c.lesson_id = i.id where i.id = r.lesson_id
          union all
          select 'course', ${itemJson('course', publicUrl)}, i.owner_id
          from courses i join course_contents c on c.course_id = i.id where i.id = r.course_id
        ) item on true where r.id = any(${ids}::bigint[])`
    case 'report.created':
      return sql`
        select json_build_object(
          'report', json_build_object('id', f.id, 'kind', f.kind, 'subjectId', f.subject_id),
          'reporter', json_build_object('id', f.reporter_id)
        ) as data, array[f.reporter_id] as people
        from flags f where f.id = any(${ids}::bigint[])`
    case 'user.registered':
    case 'user.suspended':
      return sql`
        select json_build_object('user', ${personJson(sql`u`, publicUrl)}) as data, array[u.id] as people
        from users u where u.id = any(${ids}::uuid[])`
  }
}

interface ItemsSold {
  readonly kind: 'lesson' | 'course'
  readonly table: 'lessons' | 'courses'
  readonly ids: Happening['ids']
  readonly buyerId: string | undefined
}

function ofItem({ kind, table, ids, buyerId }: ItemsSold, publicUrl: string): RawBuilder<unknown> {
  const contents = sql.table(`${kind}_contents`)
  const sale =
    buyerId === undefined
      ? sql``
      : sql`, 'price', i.price, 'buyer', json_build_object('id', ${buyerId}::text)`
  const people =
    buyerId === undefined ? sql`array[i.owner_id]` : sql`array[i.owner_id, ${buyerId}::uuid]`
  return sql`
    select json_build_object(
      ${sql.lit(kind)}::text, ${itemJson(kind, publicUrl)},
      'owner', ${personJson(sql`u`, publicUrl)}${sale}
    ) as data, ${people} as people
    from ${sql.table(table)} i join ${contents} c on ${sql.ref(`c.${kind}_id`)} = i.id
    join users u on u.id = i.owner_id where i.id = any(${ids}::bigint[])`
}

const itemJson = (kind: 'lesson' | 'course', publicUrl: string) =>
  sql`json_build_object('id', i.id, 'title', c.title, 'url', ${`${publicUrl}/${kind}/details/`}::text || i.id)`

const personJson = (person: RawBuilder<unknown>, publicUrl: string) =>
  sql`json_build_object('id', ${person}.id, 'username', ${person}.username, 'url', ${`${publicUrl}/profile/`}::text || ${person}.id)`
