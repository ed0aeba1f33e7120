/** Stores events as they are sent, a delivery for each endpoint that subscribes, and their jobs. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { WebhookEvent } from '#contract/webhooks.ts'
import type { Tx } from '#server/platform/db/connect.ts'
import { KINDS, type Event, type ItemRef } from '#server/platform/events/catalogue.ts'
import type { Subscriber } from '#server/platform/events/dispatching.ts'
import { addJobsLater } from '#server/platform/jobs/queue.ts'
import { DELIVER_WEBHOOK, queueOf } from '#server/operate/webhooks/delivering.ts'

/** With the queue's delays of e^n seconds, at most 6 h, the last attempt is 34 hours after the first. */
export const ATTEMPTS = 15

type Heard = Extract<Event, { readonly type: WebhookEvent }>

const isForWebhooks = (event: Event): event is Heard => KINDS[event.type].webhook

export function createWebhookSubscriber(publicUrl: string): Subscriber {
  return async (tx, recorded) => {
    const possible = recorded.filter(({ event }) => isForWebhooks(event))
    const endpoints =
      possible.length === 0
        ? []
        : await tx
            .selectFrom('webhook_endpoints')
            .select(['id', 'events', 'created_at'])
            .where('enabled', '=', true)
            .execute()
    const heard = recorded.flatMap(({ event, at }) => {
      if (!isForWebhooks(event)) return []
      const listening = endpoints.filter(
        ({ events, created_at }) => events.includes(event.type) && created_at <= at,
      )
      return listening.length === 0 ? [] : [{ id: randomUUID(), event, at, listening }]
    })
    if (heard.length === 0) return []
    const names = await readNames(
      tx,
      heard.map(({ event }) => event),
    )
    const deliveries = await insertDeliveries(
      tx,
      heard.map(({ id, event, at }) => ({
        id,
        type: event.type,
        data: dataOf(event, names, publicUrl),
        people: peopleIn(event),
        happened_at: at,
      })),
      heard.flatMap(({ id, listening }) =>
        listening.map((endpoint) => ({ event_id: id, endpoint_id: endpoint.id })),
      ),
    )
    for (const [host, ids] of Map.groupBy(deliveries, (each) => each.host))
      await addJobsLater(
        tx,
        DELIVER_WEBHOOK,
        ids.map(({ id }) => ({ id })),
        { attempts: ATTEMPTS, yields: true, queue: queueOf(host) },
      )
    return []
  }
}

interface NewEvent {
  readonly id: string
  readonly type: WebhookEvent
  readonly data: object
  readonly people: readonly string[]
  readonly happened_at: Date
}

/** Returns the deliveries with the host of their endpoint. */
async function insertDeliveries(
  tx: Tx,
  events: readonly NewEvent[],
  deliveries: readonly { readonly event_id: string; readonly endpoint_id: number }[],
): Promise<readonly { readonly id: number; readonly host: string }[]> {
  await sql`
    insert into webhook_events (id, type, data, people, happened_at)
    select id, type, data, people, happened_at from jsonb_to_recordset(${JSON.stringify(events)}::jsonb)
      as row (id uuid, type text, data jsonb, people uuid[], happened_at timestamptz)`.execute(tx)
  const { rows } = await sql<{ id: number; host: string }>`
    with added as (
      insert into webhook_deliveries (event_id, endpoint_id)
      select event_id, endpoint_id from jsonb_to_recordset(${JSON.stringify(deliveries)}::jsonb)
        as row (event_id uuid, endpoint_id bigint)
      returning id, endpoint_id
    )
    select added.id, e.host from added join webhook_endpoints e on e.id = added.endpoint_id order by added.id`.execute(
    tx,
  )
  return rows
}

/** The people whom an event names. */
function peopleIn(event: Heard): string[] {
  const names = ['ownerId', 'userId', 'buyerId', 'reporterId'] as const
  return names.flatMap((name) => {
    const id: unknown = name in event ? Reflect.get(event, name) : undefined
    return typeof id === 'string' ? [id] : []
  })
}

interface Names {
  readonly titleOf: (item: ItemRef) => string
  readonly usernameOf: (userId: string) => string
}

/** Reads titles, which outlive their items, and names. */
async function readNames(tx: Tx, events: readonly Heard[]): Promise<Names> {
  const idsOf = (kind: ItemRef['kind']) =>
    events.flatMap((event) => ('item' in event && event.item.kind === kind ? [event.item.id] : []))
  const { rows } = await sql<{ key: string; name: string }>`
    select 'lesson ' || lesson_id as key, title as name from lesson_contents
    where lesson_id = any(${idsOf('lesson')}::bigint[])
    union all
    select 'course ' || course_id, title from course_contents where course_id = any(${idsOf('course')}::bigint[])
    union all
    select id::text, username from users where id = any(${events.flatMap(peopleIn)}::uuid[])`.execute(
    tx,
  )
  const names = new Map(rows.map(({ key, name }) => [key, name]))
  return {
    titleOf: ({ kind, id }) => names.get(`${kind} ${id}`) ?? '',
    usernameOf: (userId) => names.get(userId) ?? '',
  }
}

/** Contains ids and public information only, no texts and no e-mail addresses. */
function dataOf(event: Heard, { titleOf, usernameOf }: Names, publicUrl: string): object {
  const item = ({ kind, id }: ItemRef) => ({
    [kind]: { id, title: titleOf({ kind, id }), url: `${publicUrl}/${kind}/details/${id}` },
  })
  const person = (id: string) => ({
    id,
    username: usernameOf(id),
    url: `${publicUrl}/profile/${id}`,
  })
  switch (event.type) {
    case 'lesson.published':
    case 'course.published':
      return { ...item(event.item), owner: person(event.ownerId) }
    case 'lesson.sold':
    case 'course.sold':
    case 'lesson.returned':
    case 'course.returned': {
      const { ownerId, price, buyerId } = event
      return { ...item(event.item), owner: person(ownerId), price, buyer: { id: buyerId } }
    }
    case 'comment.created':
      return {
        comment: { id: event.commentId },
        ...item(event.item),
        author: person(event.userId),
      }
    case 'rating.created': {
      const { ratingId: id, stars, userId } = event
      return { rating: { id, stars }, ...item(event.item), author: person(userId) }
    }
    case 'report.created': {
      const { reportId: id, kind, subjectId, reporterId } = event
      return { report: { id, kind, subjectId }, reporter: { id: reporterId } }
    }
    case 'user.registered':
    case 'user.suspended':
      return { user: person(event.userId) }
  }
}
