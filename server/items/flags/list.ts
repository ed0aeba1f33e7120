/** Reads reports and the reported things for administrators in one round trip. */
import { sql, type RawBuilder } from 'kysely'
import type { CopyOutcome, Flag, FlagKind } from '#contract/flags.ts'
import { FORMER_ID } from '#contract/former-member.ts'
import { EXACT_TOTAL, ROWS_PER_PAGE } from '#contract/limits.ts'
import { shownPerson } from '#server/people/accounts/answer.ts'
import { peopleNamed } from '#server/people/accounts/named.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { mentions } from '#server/platform/db/folded-search.ts'
import { coverOf } from '#server/items/shared/cover.ts'
import { isReadable } from '#server/items/shared/entitlement.ts'

interface Person {
  readonly id: string
  readonly name: string
  readonly picture: string | null
}

interface FlagRow {
  readonly id: number
  readonly kind: FlagKind
  readonly subject_id: string
  readonly text: string
  readonly created_at: Date
  readonly closed_at: Date | null
  readonly closed_by_name: string | null
  readonly outcome: CopyOutcome | null
  readonly original: Flag['original']
  readonly others: number
  readonly reporter: Person
  readonly gone: boolean
  readonly title: string | null
  readonly subject_text: string | null
  readonly picture: string | null
  readonly lesson_id: number | null
  readonly course_id: number | null
  readonly stars: number | null
  readonly person: Person | null
  readonly suspended: boolean
}

/** Newest first. The total is exact up to 10,000. */
export async function listFlags(
  db: Db,
  query: { readonly closed: boolean; readonly page: number; readonly search: string },
): Promise<{ flags: Flag[]; total: number }> {
  const { closed, page, search } = query
  const state = sql`f.closed_at ${closed ? sql`is not null` : sql`is null`} and ${foundBy(search)}`
  const { rows } = await sql<(FlagRow | { id: null }) & { found: number }>`
    with total as materialized (
      select count(*) as found from (select 1 from flags f where ${state} limit ${sql.lit(EXACT_TOTAL)}) counted
    ), page as materialized (
      select f.* from flags f where ${state} order by f.id desc
      limit ${sql.lit(ROWS_PER_PAGE)} offset ${(page - 1) * ROWS_PER_PAGE}
    )
    select total.found, shown.* from total left join (${shown}) shown on true order by shown.id desc`.execute(
    db,
  )
  return {
    flags: rows.filter((row): row is FlagRow & { found: number } => row.id !== null).map(toFlag),
    total: rows[0]?.found ?? 0,
  }
}

/** Matches reports `f` whose texts contain these words, or that are by or about a person of this name. */
function foundBy(search: string): RawBuilder<unknown> {
  if (search.trim() === '') return sql`true`
  const named = peopleNamed(search)
  return sql`(${mentions('f.text', search)} or f.reporter_id in (${named}) or ${isAbout(named)})`
}

/** Matches reports `f` about the profiles, items or words of these people. The kind guards the casts. */
const isAbout = (people: RawBuilder<unknown>) => sql`
  case f.kind
    when 'profile' then f.subject_id::uuid in (${people})
    when 'lesson' then exists (select from lessons l where l.id = f.subject_id::bigint and l.owner_id in (${people}))
    when 'course' then exists (select from courses k where k.id = f.subject_id::bigint and k.owner_id in (${people}))
    when 'comment' then exists (select from comments m where m.id = f.subject_id::bigint and m.user_id in (${people}))
    when 'rating' then exists (select from ratings r where r.id = f.subject_id::bigint and r.user_id in (${people}))
    when 'message' then exists (select from messages m where m.id = f.subject_id::bigint and m.sender_id in (${people}))
  end`

/** Lists the newest 20 reports that a person wrote, or that are about them, open or closed. */
export async function listFlagsOf(
  db: Db,
  personId: string,
  which: 'by' | 'about',
): Promise<Flag[]> {
  const matches = which === 'by' ? sql`f.reporter_id = ${personId}` : isAbout(sql`${personId}`)
  const { rows } = await sql<FlagRow>`
    with page as materialized (select f.* from flags f where ${matches} order by f.id desc limit 20)
    select shown.* from (${shown}) shown order by shown.id desc`.execute(db)
  return rows.map(toFlag)
}

/** Returns one report as in the list, or null. */
export async function findFlag(db: Db, id: number): Promise<Flag | null> {
  const { rows } = await sql<FlagRow>`
    with page as materialized (select * from flags where id = ${id}) ${shown}`.execute(db)
  return rows[0] === undefined ? null : toFlag(rows[0])
}

/** Returns the subject's id as a number. Guarded by kind, so that no other text is cast. */
const numberOf = (kind: FlagKind) =>
  sql`case when page.kind = ${sql.lit(kind)} then page.subject_id::bigint end`

/** Rows of `subject (gone, title, text, picture, lesson_id, course_id, stars, person_id)`. `picture` is a key. */
const SUBJECTS: Record<FlagKind, RawBuilder<unknown>> = {
  lesson: sql`
    select not ${isReadable('l')}, c.title, c.description, c.picture_id, null::bigint, null::bigint, null::integer, l.owner_id
    from lessons l left join lesson_contents c on c.lesson_id = l.id where l.id = ${numberOf('lesson')}`,
  course: sql`
    select not ${isReadable('k')}, c.title, c.description, c.picture_id, null::bigint, null::bigint, null::integer, k.owner_id
    from courses k left join course_contents c on c.course_id = k.id where k.id = ${numberOf('course')}`,
  comment: sql`
    select m.deleted_at is not null or not ${isReadable('l')}, c.title, m.text, null::bigint, l.id, null::bigint, null::integer, m.user_id
    from comments m join lessons l on l.id = m.lesson_id left join lesson_contents c on c.lesson_id = l.id
    where m.id = ${numberOf('comment')}`,
  rating: sql`
    select r.deleted_at is not null or coalesce(l.id, k.id) is null, coalesce(ofl.title, ofk.title), r.text,
      null::bigint, r.lesson_id, r.course_id, r.stars::integer, r.user_id
    from ratings r
    left join lessons l on l.id = r.lesson_id and ${isReadable('l')}
    left join courses k on k.id = r.course_id and ${isReadable('k')}
    left join lesson_contents ofl on ofl.lesson_id = r.lesson_id
    left join course_contents ofk on ofk.course_id = r.course_id
    where r.id = ${numberOf('rating')}`,
  message: sql`
    select false, null, m.text, null::bigint, null::bigint, null::bigint, null::integer, m.sender_id
    from messages m where m.id = ${numberOf('message')}`,
  profile: sql`
    select u.erased_at is not null, null, u.about, null::bigint, null::bigint, null::bigint, null::integer, u.id
    from users u where u.id = case when page.kind = 'profile' then page.subject_id::uuid end`,
}

/** Joins the rows of `page` with what the list shows. */
const shown = sql`
  select page.id, page.kind, page.subject_id, page.text, page.created_at, page.closed_at,
    closer.username as closed_by_name, page.outcome,
    case when page.original_id is not null then json_build_object('id', page.original_id, 'title', (
      select c.title from lessons o join lesson_contents c on c.lesson_id = o.id
      where o.id = page.original_id and o.deleted_at is null
    )) end as original,
    (
      select count(*) from flags f
      where f.kind = page.kind and f.subject_id = page.subject_id and f.closed_at is null and f.id <> page.id
    ) as others,
    json_build_object('id', reporter.id, 'name', reporter.username, 'picture', reporter_face.key) as reporter,
    coalesce(subject.gone, true) as gone, subject.title, subject.text as subject_text, cover.key as picture,
    subject.lesson_id, subject.course_id, subject.stars,
    case when person.id is not null then
      json_build_object('id', person.id, 'name', person.username, 'picture', person_face.key)
    end as person,
    person.suspended_at is not null as suspended
  from page
  join users reporter on reporter.id = page.reporter_id
  left join pictures reporter_face on reporter_face.id = reporter.picture_id
  left join users closer on closer.id = page.closed_by
  left join lateral (${sql.join(Object.values(SUBJECTS), sql` union all `)})
    subject (gone, title, text, picture_id, lesson_id, course_id, stars, person_id) on true
  left join pictures cover on cover.id = subject.picture_id
  left join users person on person.id = subject.person_id
  left join pictures person_face on person_face.id = person.picture_id`

function toFlag(row: FlagRow): Flag {
  return {
    id: row.id,
    kind: row.kind,
    // The id of an erased profile is the id of its person.
    subjectId: row.kind === 'profile' && row.gone ? FORMER_ID : row.subject_id,
    text: row.text,
    date: row.created_at.toISOString(),
    reporter: toCard(row.reporter),
    others: row.others,
    closed:
      row.closed_at === null
        ? null
        : { date: row.closed_at.toISOString(), userName: row.closed_by_name ?? '' },
    original: row.original,
    outcome: row.outcome,
    subject: {
      gone: row.gone,
      title: row.title,
      text: row.subject_text,
      picture: pictureOf(row),
      lessonId: row.lesson_id,
      courseId: row.course_id,
      stars: row.stars,
      person: row.person === null ? null : toCard(row.person),
      suspended: row.suspended,
    },
  }
}

/** Returns a picture only for existing items; without an uploaded one, the generated one. */
function pictureOf({ kind, subject_id: id, picture, gone }: FlagRow): string | null {
  if (gone || (kind !== 'lesson' && kind !== 'course')) return null
  return coverOf(kind, id, picture)
}

function toCard({ id, name, picture }: Person) {
  return shownPerson(id, name, picture)
}
