/** Exports everything stored about a person, one batch of rows at a time. */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/connect.ts'
import type { ExportedPart, ExportedRow } from '#server/platform/core/personal.ts'
import { PERSONAL_DATA } from '#server/operate/exports/personal-data.ts'

/** Rows per batch, unless the list states another number. An article has up to 20 kB. */
const BATCH = 100
/** Limit for sessions and files, which are few. */
const MOST = 10_000

export interface Part {
  readonly name: string
  readonly read: ExportedPart
  readonly batch: number
}

/** The lists that the folders declare, in their order. */
export const PARTS: readonly Part[] = PERSONAL_DATA.flatMap(({ exported, batches }) =>
  Object.entries(exported ?? {}).map(([name, read]) => ({
    name,
    read,
    batch: batches?.[name] ?? BATCH,
  })),
)

/** Yields one JSON object in chunks. It excludes the password hash and what others wrote. */
export async function* streamJson(db: Db, userId: string): AsyncGenerator<string> {
  yield `{"person":${JSON.stringify(await findPerson(db, userId))}`
  for (const part of PARTS) {
    yield `,"${part.name}":[`
    let separator = ''
    for await (const rows of readPart(db, part, userId)) {
      yield separator + rows.map((row) => JSON.stringify(row)).join(',')
      separator = ','
    }
    yield ']'
  }
  yield '}'
}

/** Yields the rows of a list in non-empty batches. */
export async function* readPart(
  db: Db,
  { read, batch }: Part,
  userId: string,
): AsyncGenerator<readonly ExportedRow[]> {
  let after: number | undefined = 0
  while (after !== undefined) {
    const { rows }: { rows: ExportedRow[] } = await sql<ExportedRow>`
      ${read(userId, after)} order by id limit ${sql.lit(batch)}`.execute(db)
    if (rows.length > 0) yield rows
    after = rows.length === batch ? rows.at(-1)?.id : undefined
  }
}

/** Returns null if the account was erased. */
export async function findPerson(
  db: Db,
  userId: string,
): Promise<Readonly<Record<string, unknown>> | null> {
  const { rows } = await sql<Readonly<Record<string, unknown>>>`
    select u.id, u.username, u.email, u.previous_email as "previousEmail", u.previous_email_confirmed_at as "previousEmailConfirmedAt", u.email_confirmed_at as "emailConfirmedAt",
      u.hide_email as "hideEmail", u.notices, u.about, not u.page_hidden as "publicPage", u.role, u.suspended_at as "suspendedAt", u.suspended_reason as "suspendedReason", u.locale,
      u.second_factor_at as "secondFactorSince",
      u.created_at as date,
      (select '/files/pictures/' || p.key || '/640.webp' from pictures p where p.id = u.picture_id) as picture,
      array(select f.username_folded from former_usernames f where f.user_id = u.id order by f.free_at) as "formerNames",
      array(
        select s.created_at from sessions s where s.user_id = u.id and s.revoked_at is null
        order by s.created_at limit ${sql.lit(MOST)}
      ) as sessions,
      (
        select coalesce(json_agg(device), '[]') from (
          select s.browser, s.system, s.provider_issuer as issuer, s.created_at as date, s.rotated_at as seen from sessions s
          where s.user_id = u.id and s.revoked_at is null order by s.created_at limit ${sql.lit(MOST)}
        ) device
      ) as devices,
      (
        select coalesce(json_agg(file), '[]') from (
          select f.id, f.name, f.size, f.lesson_id as lesson, f.created_at as date from uploads f
          where f.owner_id = u.id and f.finished_at is not null order by f.created_at limit ${sql.lit(MOST)}
        ) file
      ) as files
    from users u where u.id = ${userId} and u.erased_at is null`.execute(db)
  return rows[0] ?? null
}
