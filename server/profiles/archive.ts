/** All that is stored of a person, for them to take along: written as it is read, a batch in memory. */
import { sql, type RawBuilder } from 'kysely'
import { toEmbedUrl } from '#contract/video.ts'
import type { Db } from '#server/db/connect.ts'

/** An article has up to 20 kB. */
const BATCH = 100
/** Of sessions and files, which are few. */
const MOST = 10_000

/** `id` is unique among the rows of the person, and rises. */
interface Row {
  readonly id: number
  readonly [column: string]: unknown
}

/** Rows of the person `of` after the id `after`, without order and limit. */
type Part = (of: string, after: number) => RawBuilder<Row>

const parts: Readonly<Record<string, Part>> = {
  lessons: (of, after) => sql`
    select l.id, c.title, c.description, c.tags, c.video_id as video, c.article, c.resources, l.price, l.likes,
      l.views, l.comments, l.created_at as date
    from lessons l join lesson_contents c on c.lesson_id = l.id
    where l.owner_id = ${of} and l.deleted_at is null and l.id > ${after}`,
  courses: (of, after) => sql`
    select k.id, c.title, c.description, c.free_preview as "freePreview", k.price, k.likes, k.comments,
      array(select h.lesson_id from course_lessons h where h.course_id = k.id order by h.position) as lessons,
      k.created_at as date
    from courses k join course_contents c on c.course_id = k.id
    where k.owner_id = ${of} and k.deleted_at is null and k.id > ${after}`,
  comments: (of, after) => sql`
    select m.id, m.lesson_id as lesson, m.text, m.prediction as opinion, m.model as "opinionBy", m.created_at as date
    from comments m
    -- those that went with their lesson too
    where m.user_id = ${of} and (m.deleted_at is null or m.deleted_by is null) and m.id > ${after}`,
  likedLessons: (of, after) => sql`
    select t.lesson_id as id, t.created_at as date
    from lesson_likes t where t.user_id = ${of} and t.lesson_id > ${after}`,
  likedCourses: (of, after) => sql`
    select t.course_id as id, t.created_at as date
    from course_likes t where t.user_id = ${of} and t.course_id > ${after}`,
  boughtLessons: (of, after) => sql`
    select t.lesson_id as id, t.price, t.created_at as date
    from lesson_purchases t where t.user_id = ${of} and t.lesson_id > ${after}`,
  boughtCourses: (of, after) => sql`
    select t.course_id as id, t.price, t.refunded, t.created_at as date
    from course_purchases t where t.user_id = ${of} and t.course_id > ${after}`,
  points: (of, after) => sql`
    select e.id, e.amount, e.reason, e.item_kind as "itemKind", e.item_id as item, e.item_title as title, e.note,
      e.net_after as balance, e.created_at as date
    from point_entries e where e.user_id = ${of} and e.id > ${after}`,
  messages: (of, after) => sql`
    select m.id, case when r.erased_at is null then r.id end as receiver, m.text, m.created_at as date
    from messages m join users r on r.id = m.receiver_id where m.sender_id = ${of} and m.id > ${after}`,
  reports: (of, after) => sql`
    select f.id, f.kind, case when p.erased_at is null then f.subject_id end as subject, f.text,
      f.closed_at as "closedAt", f.created_at as date
    from flags f left join users p on p.id = case when f.kind = 'profile' then f.subject_id::uuid end where f.reporter_id = ${of} and f.id > ${after}`,
  bugReports: (of, after) => sql`
    select b.id, b.sender_email as "senderEmail", b.topic, b.text, b.done_at as "doneAt", b.created_at as date
    from bug_reports b where b.user_id = ${of} and b.id > ${after}`,
}

/** The pieces of one JSON object. The password's hash and what others wrote are not among them. */
export async function* writeArchive(db: Db, userId: string): AsyncGenerator<string> {
  yield `{"person":${JSON.stringify(await findPerson(db, userId))}`
  for (const [name, part] of Object.entries(parts)) {
    yield `,"${name}":[`
    let separator = ''
    for await (const rows of readPart(db, part, userId)) {
      yield separator + rows.map((row) => JSON.stringify(toArchived(row))).join(',')
      separator = ','
    }
    yield ']'
  }
  yield '}'
}

async function* readPart(db: Db, part: Part, userId: string): AsyncGenerator<readonly Row[]> {
  let after: number | undefined = 0
  while (after !== undefined) {
    const { rows }: { rows: Row[] } = await sql<Row>`
      ${part(userId, after)} order by id limit ${sql.lit(BATCH)}`.execute(db)
    if (rows.length > 0) yield rows
    after = rows.length === BATCH ? rows.at(-1)?.id : undefined
  }
}

function toArchived(row: Row) {
  const { video, ...rest } = row
  return typeof video === 'string' ? { ...rest, video: toEmbedUrl(`youtu.be/${video}`) } : row
}

async function findPerson(db: Db, userId: string): Promise<unknown> {
  const { rows } = await sql`
    select u.id, u.username, u.email, u.previous_email as "previousEmail", u.email_confirmed_at as "emailConfirmedAt",
      u.hide_email as "hideEmail", u.notices, u.role, u.suspended_at as "suspendedAt", u.suspended_reason as "suspendedReason", u.locale,
      u.created_at as date,
      (select '/files/pictures/' || p.key || '/640.webp' from pictures p where p.id = u.picture_id) as picture,
      array(select f.username_folded from former_usernames f where f.user_id = u.id order by f.free_at) as "formerNames",
      array(
        select s.created_at from sessions s where s.user_id = u.id and s.revoked_at is null
        order by s.created_at limit ${sql.lit(MOST)}
      ) as sessions,
      (
        select coalesce(json_agg(file), '[]') from (
          select f.name, f.size, f.lesson_id as lesson, f.created_at as date from uploads f
          where f.owner_id = u.id and f.finished_at is not null order by f.created_at limit ${sql.lit(MOST)}
        ) file
      ) as files
    from users u where u.id = ${userId} and u.erased_at is null`.execute(db)
  return rows[0] ?? null
}
