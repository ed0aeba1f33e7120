/** The only module that writes the table of certificates. */
import { sql, type RawBuilder } from 'kysely'
import type { OwnCertificate, TowardsCertificate } from '#contract/certificates.ts'
import { FORMER_MEMBER } from '#contract/former-member.ts'
import { ROWS_PER_PAGE } from '#contract/limits.ts'
import type { Db, DbOrTx, Tx } from '#server/platform/db/connect.ts'

/** Requires `t` (certificates). */
const state = sql<OwnCertificate['state']>`case
  when t.revoked_at is not null then 'revoked' when t.withdrawn_at is not null then 'withdrawn' else 'valid' end`

export interface CertificateRow {
  readonly id: number
  readonly code: string
  readonly ownerId: string | null
  readonly state: OwnCertificate['state']
  readonly name: string
  readonly courseId: number
  readonly courseThere: boolean
  readonly courseTitle: string
  readonly courseDescription: string
  readonly lessons: readonly string[]
  readonly author: string
  /** Null for a former member. */
  readonly authorNow: string | null
  readonly listed: boolean
  readonly date: Date
  /** Null while it is valid. */
  readonly ended: Date | null
}

const columns: RawBuilder<unknown> = sql`t.id, t.code, t.user_id as "ownerId", ${state} as state, t.name,
  t.course_id as "courseId", course.deleted_at is null as "courseThere", t.course_title as "courseTitle",
  t.course_description as "courseDescription", t.lessons, t.author_name as author,
  (select u.username from users u where u.id = t.author_id and u.erased_at is null) as "authorNow", t.listed,
  t.issued_at as date, coalesce(t.revoked_at, t.withdrawn_at) as ended`

/** Returns null for an unknown code. */
export async function findCertificate(db: Db, code: string): Promise<CertificateRow | null> {
  const { rows } = await sql<CertificateRow>`
    select ${columns} from certificates t join courses course on course.id = t.course_id
    where t.code = ${code}`.execute(db)
  return rows[0] ?? null
}

/** Also locks the row until the transaction ends. */
export async function lockCertificate(tx: Tx, code: string): Promise<CertificateRow | null> {
  const { rows } = await sql<CertificateRow>`
    select ${columns} from certificates t join courses course on course.id = t.course_id
    where t.code = ${code} for update of t`.execute(tx)
  return rows[0] ?? null
}

/** Returns a person's certificate of a course that was not withdrawn, and how many they withdrew. */
export async function findTaken(
  db: DbOrTx,
  userId: string,
  courseId: number,
): Promise<{ readonly taken: TowardsCertificate['taken']; readonly withdrawn: number }> {
  const { rows } = await sql<{ code: string; state: OwnCertificate['state'] }>`
    select t.code, ${state} as state from certificates t
    where t.user_id = ${userId} and t.course_id = ${courseId}`.execute(db)
  const [taken = null] = rows.flatMap((row) =>
    row.state === 'withdrawn' ? [] : [{ code: row.code, state: row.state }],
  )
  return { taken, withdrawn: rows.length - (taken === null ? 0 : 1) }
}

export interface NewCertificate {
  readonly code: string
  readonly userId: string
  readonly courseId: number
  readonly authorId: string
  readonly name: string
  readonly courseTitle: string
  readonly courseDescription: string
  readonly lessons: readonly string[]
  readonly authorName: string
}

/** The time is rounded to seconds, as in the credential. */
export async function insertCertificate(tx: Tx, given: NewCertificate, at: Date): Promise<void> {
  const isFormer = given.authorName === FORMER_MEMBER
  await tx
    .insertInto('certificates')
    .values({
      code: given.code,
      user_id: given.userId,
      course_id: given.courseId,
      author_id: isFormer ? null : given.authorId,
      name: given.name,
      course_title: given.courseTitle,
      course_description: given.courseDescription,
      lessons: [...given.lessons],
      author_name: given.authorName,
      issued_at: new Date(Math.floor(at.getTime() / 1000) * 1000),
    })
    .execute()
}

/** Removes the name for good. The row remains, so that verifiers see that the certificate is no longer valid. */
export async function withdraw(tx: Tx, id: number, at: Date): Promise<void> {
  await sql`update certificates set withdrawn_at = ${at}, name = '', listed = false where id = ${id}`.execute(
    tx,
  )
}

export async function revoke(tx: Tx, id: number, at: Date): Promise<void> {
  await sql`update certificates set revoked_at = ${at}, listed = false where id = ${id}`.execute(tx)
}

export async function setListed(tx: Tx, id: number, listed: boolean): Promise<void> {
  await sql`update certificates set listed = ${listed} where id = ${id}`.execute(tx)
}

/** Returns a page of a person's certificates, newest first. */
export async function listOwn(
  db: Db,
  userId: string,
  page: number,
): Promise<{ certificates: OwnCertificate[]; total: number }> {
  type Row = Omit<OwnCertificate, 'date'> & { readonly date: Date; readonly total: number }
  const { rows } = await sql<Row | { code: null; total: number }>`
    select own.*, (select count(*) from certificates t where t.user_id = ${userId}) as total
    from (select 1) once left join (
      select t.id, t.code, ${state} as state, t.name, t.course_id as "courseId", t.course_title as "courseTitle",
        t.issued_at as date, t.listed
      from certificates t where t.user_id = ${userId}
      order by t.id desc limit ${sql.lit(ROWS_PER_PAGE)} offset ${(page - 1) * ROWS_PER_PAGE}
    ) own on true
    order by own.id desc`.execute(db)
  return {
    certificates: rows
      .filter((row): row is Row => row.code !== null)
      .map(({ date, ...row }) => ({ ...row, date: date.toISOString() })),
    total: rows[0]?.total ?? 0,
  }
}

/**
 * Returns the ids of ended certificates from `first` to below `first + size`, or null if no certificate has
 * reached these ids yet.
 */
export async function findEnded(db: Db, first: number, size: number): Promise<number[] | null> {
  const { rows } = await sql<{ begun: boolean; ended: number[] }>`
    select exists (select from certificates t where t.id >= ${first}) as begun, (
      select coalesce(json_agg(t.id), '[]') from certificates t
      where (t.withdrawn_at is not null or t.revoked_at is not null) and t.id >= ${first} and t.id < ${first + size}
    ) as ended`.execute(db)
  return rows[0]?.begun === true ? rows[0].ended : null
}

/** Rows per update, because an author may have any number of certificates. */
const BATCH = sql.lit(1000)

/**
 * For an erased person: withdraws and detaches their certificates, and removes their name from those of others.
 */
export async function forgetCertificates(db: DbOrTx, userId: string): Promise<void> {
  await sql`
    update certificates set withdrawn_at = coalesce(withdrawn_at, now()), name = '', listed = false, user_id = null
    where user_id = ${userId}`.execute(db)
  for (let left = true; left;) {
    const { rows } = await sql`
      update certificates set author_name = ${FORMER_MEMBER}, author_id = null where id in (
        select t.id from certificates t where t.author_id = ${userId} limit ${BATCH}
      ) returning id`.execute(db)
    left = rows.length > 0
  }
}
