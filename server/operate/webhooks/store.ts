/** Reads and writes endpoints and deliveries. recording.ts writes events. */
import { sql } from 'kysely'
import { ROWS_PER_PAGE, WEBHOOK_EVENT_DAYS } from '#contract/limits.ts'
import type { WebhookDelivery, WebhookEndpoint, WebhookEvent } from '#contract/webhooks.ts'
import type { Db, DbOrTx, Tx } from '#server/platform/db/connect.ts'
import { jobKind, NoPayload } from '#server/platform/jobs/job.ts'
import type { Clock } from '#server/kernel/clock.ts'

interface EndpointRow {
  readonly id: number
  readonly url: string
  readonly description: string
  readonly events: string[]
  readonly enabled: boolean
  readonly created_at: Date
  readonly failing_since: Date | null
  readonly given_up_at: Date | null
  readonly previous_until: Date | null
}

export interface EndpointFields {
  readonly url: URL
  readonly description: string
  readonly events: readonly WebhookEvent[]
  readonly enabled: boolean
}

const COLUMNS = sql`id, url, description, events, enabled, created_at, failing_since, given_up_at, previous_until`

function toEndpoint(row: EndpointRow): WebhookEndpoint {
  const { created_at, failing_since, given_up_at, previous_until, events, ...fields } = row
  return {
    ...fields,
    // The column only contains these values.
    events: events as WebhookEvent[],
    created: created_at.toISOString(),
    failingSince: failing_since?.toISOString() ?? null,
    givenUp: given_up_at?.toISOString() ?? null,
    previousSecretUntil: previous_until?.toISOString() ?? null,
  }
}

/** Returns all endpoints, oldest first. */
export async function listEndpoints(db: DbOrTx): Promise<WebhookEndpoint[]> {
  const { rows } = await sql<EndpointRow>`
    select ${COLUMNS} from webhook_endpoints order by id`.execute(db)
  return rows.map(toEndpoint)
}

/** Returns null if there are already `most`. */
export async function insertEndpoint(
  tx: Tx,
  { url, description, events, enabled }: EndpointFields,
  made: { readonly sealed: Buffer; readonly by: string; readonly at: Date; readonly most: number },
): Promise<WebhookEndpoint | null> {
  const { rows } = await sql<EndpointRow>`
    insert into webhook_endpoints (url, host, description, events, sealed_secret, enabled, created_by, created_at)
    select ${url.href}, ${url.host}, ${description}, ${[...events]}::text[], ${made.sealed}::bytea, ${enabled}::boolean,
      ${made.by}::uuid, ${made.at}::timestamptz
    where (select count(*) from webhook_endpoints) < ${made.most}
    returning ${COLUMNS}`.execute(tx)
  return rows[0] === undefined ? null : toEndpoint(rows[0])
}

/** Enabling it clears its failures. Returns null if there is none. */
export async function updateEndpoint(
  tx: Tx,
  id: number,
  { url, description, events, enabled }: EndpointFields,
): Promise<WebhookEndpoint | null> {
  const { rows } = await sql<EndpointRow>`
    update webhook_endpoints set url = ${url.href}, host = ${url.host}, description = ${description},
      events = ${[...events]}::text[], enabled = ${enabled}::boolean,
      failing_since = case when ${enabled}::boolean then null else failing_since end,
      given_up_at = case when ${enabled}::boolean then null else given_up_at end
    where id = ${id} returning ${COLUMNS}`.execute(tx)
  return rows[0] === undefined ? null : toEndpoint(rows[0])
}

/**
 * Replaces the secret. The previous one also signs until `previousUntil`. Returns null if the endpoint doesn't
 * exist.
 */
export async function rotateSecret(
  db: DbOrTx,
  id: number,
  { sealed, previousUntil }: { readonly sealed: Buffer; readonly previousUntil: Date },
): Promise<WebhookEndpoint | null> {
  const { rows } = await sql<EndpointRow>`
    update webhook_endpoints set previous_sealed_secret = sealed_secret,
      previous_until = ${previousUntil}::timestamptz, sealed_secret = ${sealed}::bytea
    where id = ${id} returning ${COLUMNS}`.execute(db)
  return rows[0] === undefined ? null : toEndpoint(rows[0])
}

/** Stores the same secret encrypted with another key, unless it was replaced meanwhile. */
export async function resealSecret(
  db: DbOrTx,
  id: number,
  { before, sealed }: { readonly before: Buffer; readonly sealed: Buffer },
): Promise<void> {
  await db
    .updateTable('webhook_endpoints')
    .set({ sealed_secret: sealed })
    .where('id', '=', id)
    .where('sealed_secret', '=', before)
    .execute()
}

/** Deletes an endpoint and its deliveries. Returns its description, or null if there is none. */
export async function deleteEndpoint(tx: Tx, id: number): Promise<string | null> {
  const row = await tx
    .deleteFrom('webhook_endpoints')
    .where('id', '=', id)
    .returning('description')
    .executeTakeFirst()
  return row?.description ?? null
}

interface DeliveryRow extends Omit<WebhookDelivery, 'happened' | 'attempted'> {
  readonly happened: Date
  readonly attempted: Date | null
}

/** Returns the deliveries to an endpoint, newest first, 50 per page. */
export async function listDeliveries(
  db: DbOrTx,
  endpointId: number,
  page: number,
): Promise<WebhookDelivery[]> {
  const { rows } = await sql<DeliveryRow>`
    select d.id, d.event_id as event, e.type, e.happened_at as happened, d.state, d.attempts,
      d.attempted_at as attempted, d.status, d.took_ms as milliseconds, d.answer, d.error
    from webhook_deliveries d join webhook_events e on e.id = d.event_id
    where d.endpoint_id = ${endpointId}
    order by d.id desc limit ${ROWS_PER_PAGE} offset ${(page - 1) * ROWS_PER_PAGE}`.execute(db)
  return rows.map(({ happened, attempted, ...row }) => ({
    ...row,
    happened: happened.toISOString(),
    attempted: attempted?.toISOString() ?? null,
  }))
}

/** Resets a delivery to pending. Returns its host, or null if it doesn't exist or is already pending. */
export async function restartDelivery(
  tx: Tx,
  { endpointId, id }: { readonly endpointId: number; readonly id: number },
): Promise<{ host: string; type: string } | null> {
  const { rows } = await sql<{ host: string; type: string }>`
    update webhook_deliveries d set state = 'waiting' from webhook_endpoints e, webhook_events v
    where d.id = ${id} and d.endpoint_id = ${endpointId} and d.state <> 'waiting'
      and e.id = d.endpoint_id and v.id = d.event_id
    returning e.host, v.type`.execute(tx)
  return rows[0] ?? null
}

/** A delivery with everything needed to send it. */
export interface DueDelivery {
  readonly endpointId: number
  readonly url: string
  readonly host: string
  readonly enabled: boolean
  readonly sealed: Buffer
  /** The previous secret, and until when it also signs. */
  readonly previousSealed: Buffer | null
  readonly previousUntil: Date | null
  readonly eventId: string
  readonly type: string
  readonly data: unknown
  readonly happenedAt: Date
}

/** Returns null if it is no longer pending. */
export async function findDueDelivery(db: DbOrTx, id: number): Promise<DueDelivery | null> {
  const { rows } = await sql<DueDelivery>`
    select d.endpoint_id as "endpointId", e.url, e.host, e.enabled, e.sealed_secret as sealed,
      e.previous_sealed_secret as "previousSealed", e.previous_until as "previousUntil", v.id as "eventId",
      v.type, v.data, v.happened_at as "happenedAt"
    from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id join webhook_events v on v.id = d.event_id
    where d.id = ${id} and d.state = 'waiting'`.execute(db)
  return rows[0] ?? null
}

/** The result of an attempt. */
export interface Attempted {
  readonly state: 'waiting' | 'delivered' | 'failed'
  readonly at: Date
  readonly milliseconds: number
  readonly status: number | null
  readonly answer: string | null
  readonly error: string | null
}

/** Stores the result of an attempt. Returns since when the endpoint has been failing, or null. */
export async function writeAttempt(
  tx: Tx,
  ids: { readonly id: number; readonly endpointId: number },
  { state, at, milliseconds, status, answer, error }: Attempted,
): Promise<Date | null> {
  await sql`
    update webhook_deliveries set state = ${state}, attempts = attempts + 1, attempted_at = ${at}, status = ${status},
      took_ms = ${Math.round(milliseconds)}, answer = ${answer}, error = ${error}
    where id = ${ids.id}`.execute(tx)
  const { rows } = await sql<{ failing_since: Date | null }>`
    update webhook_endpoints set failing_since =
      case when ${state === 'delivered'}::boolean then null else coalesce(failing_since, ${at}::timestamptz) end
    where id = ${ids.endpointId} returning failing_since`.execute(tx)
  return rows[0]?.failing_since ?? null
}

/** For a disabled endpoint, to which nothing was sent. */
export async function writeUnsent(db: DbOrTx, id: number, error: string): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ state: 'failed', error })
    .where('id', '=', id)
    .execute()
}

/** Disables an endpoint automatically. Returns false if it was already disabled. */
export async function giveUpEndpoint(tx: Tx, id: number, at: Date): Promise<boolean> {
  const row = await tx
    .updateTable('webhook_endpoints')
    .set({ enabled: false, given_up_at: at })
    .where('id', '=', id)
    .where('enabled', '=', true)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Runs every minute. */
export const CLEAR_WEBHOOKS = jobKind('clearWebhooks', NoPayload)

const DAY_MS = 24 * 60 * 60 * 1000
/** Rows per run. The others follow a minute later. */
const MOST_CLEARED = 1000

/** Deletes old events with their deliveries, and previous secrets that no longer sign. */
export async function clearWebhooks(db: Db, clock: Clock): Promise<void> {
  const now = clock.now()
  await db
    .updateTable('webhook_endpoints')
    .set({ previous_sealed_secret: null, previous_until: null })
    .where('previous_until', '<=', now)
    .execute()
  const before = new Date(now.getTime() - WEBHOOK_EVENT_DAYS * DAY_MS)
  await sql`
    delete from webhook_events where id in (
      select id from webhook_events where happened_at < ${before} order by happened_at limit ${sql.lit(MOST_CLEARED)}
    )`.execute(db)
}

/** Deletes events about a person whose account is erased, whether sent or not. */
export async function deleteEventsAbout(db: DbOrTx, userId: string): Promise<void> {
  await sql`delete from webhook_events where people @> array[${userId}::uuid]`.execute(db)
}
