import { sql, type RawBuilder } from 'kysely'
import { EXACT_TOTAL, ROWS_PER_PAGE } from '#contract/limits.ts'
import { Action, TOPIC_OF, type LogEntry, type LogQuery } from '#contract/moderation.ts'
import { shownPerson } from '#server/people/accounts/answer.ts'
import { peopleNamed } from '#server/people/accounts/named.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { mentions } from '#server/platform/db/folded-search.ts'

interface LogRow {
  readonly id: number
  readonly created_at: Date
  readonly action: Action
  readonly subject_id: string | null
  readonly subject: string | null
  readonly reason: string | null
  readonly actor_id: string
  readonly actor_name: string
  readonly actor_picture: string | null
  readonly person_id: string | null
  readonly person_name: string | null
  readonly person_picture: string | null
}

function filterOf({ person, actor, about, search }: LogQuery): RawBuilder<unknown> {
  const actions = Action.options.filter((action) => TOPIC_OF[action] === about)
  const named = peopleNamed(search)
  return sql.join(
    [
      sql`true`,
      ...(person === undefined ? [] : [sql`person_id = ${person}`]),
      ...(actor === undefined ? [] : [sql`actor_id = ${actor}`]),
      ...(about === undefined ? [] : [sql`action = any(${actions}::text[])`]),
      ...(search.trim() === ''
        ? []
        : [
            sql`(${mentions('subject', search)} or ${mentions('reason', search)}
              or person_id in (${named}) or actor_id in (${named}))`,
          ]),
    ],
    sql` and `,
  )
}

/** Newest first, with the total, which is exact up to 10,000. Reads the table once, because no index serves a search. */
export async function listLog(
  db: Db,
  query: LogQuery,
): Promise<{ entries: LogEntry[]; total: number }> {
  const { page = 1 } = query
  const which = filterOf(query)
  const { rows } = await sql<(LogRow | { id: null }) & { found: number }>`
    with hit as materialized (
      select id from moderation_log where ${which} order by id desc
      limit ${Math.max(EXACT_TOTAL, page * ROWS_PER_PAGE)}
    ), total as (
      select least(count(*), ${sql.lit(EXACT_TOTAL)}) as found from hit
    ), page as materialized (
      select l.* from (
        select id from hit order by id desc limit ${sql.lit(ROWS_PER_PAGE)} offset ${(page - 1) * ROWS_PER_PAGE}
      ) place join moderation_log l on l.id = place.id
    )
    select total.found, page.*, actor.username as actor_name, actor_face.key as actor_picture,
      person.username as person_name, person_face.key as person_picture
    from total left join page on true
    left join users actor on actor.id = page.actor_id left join pictures actor_face on actor_face.id = actor.picture_id
    left join users person on person.id = page.person_id left join pictures person_face on person_face.id = person.picture_id
    order by page.id desc`.execute(db)
  return {
    entries: rows.filter((row): row is LogRow & { found: number } => row.id !== null).map(toEntry),
    total: rows[0]?.found ?? 0,
  }
}

function toEntry(row: LogRow): LogEntry {
  const { person_id: personId, person_name: personName } = row
  return {
    id: row.id,
    date: row.created_at.toISOString(),
    actor: shownPerson(row.actor_id, row.actor_name, row.actor_picture),
    action: row.action,
    subjectId: row.subject_id,
    subject: row.subject,
    person:
      personId === null || personName === null
        ? null
        : shownPerson(personId, personName, row.person_picture),
    reason: row.reason,
  }
}

/** Limit of each count. */
const MOST = sql.lit(1000)
/** Number of jobs searched for those that were given up, because no index covers them. */
const LOOKED_THROUGH = sql.lit(100_000)

/** Returns the open work of administrators, counting each kind up to 1,000. */
export async function countWaiting(
  db: Db,
): Promise<{ flags: number; bugs: number; appeals: number; mails: number; jobs: number }> {
  const { rows } = await sql<{
    flags: number
    bugs: number
    appeals: number
    mails: number
    jobs: number
  }>`
    select
      (select count(*) from (select 1 from flags where closed_at is null limit ${MOST}) open) as flags,
      (select count(*) from (select 1 from bug_reports where done_at is null limit ${MOST}) open) as bugs,
      (select count(*) from (select 1 from appeals where decided_at is null limit ${MOST}) open) as appeals,
      (select count(*) from (select 1 from mails where state = 'failed' limit ${MOST}) failed) as mails,
      (
        select count(*) from (
          select 1 from (
            select attempts, max_attempts, locked_at from graphile_worker._private_jobs limit ${LOOKED_THROUGH}
          ) job where attempts >= max_attempts and locked_at is null limit ${MOST}
        ) given_up
      ) as jobs`.execute(db)
  return rows[0] ?? { flags: 0, bugs: 0, appeals: 0, mails: 0, jobs: 0 }
}
