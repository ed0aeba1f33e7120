/** Finds broken references and incomplete things. */
import { sql, type RawBuilder } from 'kysely'
import type { DbOrTx } from '#server/platform/db/connect.ts'
import type { Rule } from '#server/operate/audit/rules/rule.ts'
import { RESOURCE_ADDRESS } from '#server/platform/files/names.ts'
import { isReadable } from '#server/items/shared/entitlement.ts'

const ADDRESS = sql.lit(RESOURCE_ADDRESS)
/** The id of the upload used as the resource in the contents `c`. */
const NAMED = sql`substr(c.resources, ${sql.lit(RESOURCE_ADDRESS.length + 1)}, 36)`

export const ORPHANS: readonly Rule[] = [
  {
    name: 'itemWithoutContents',
    what: 'A lesson or course is there without its title and all that it shows.',
    wrong: sql`
      select 'lesson ' || l.id as id from lessons l
      where ${isReadable('l')} and not exists (select from lesson_contents c where c.lesson_id = l.id)
      union all
      select 'course ' || k.id from courses k
      where ${isReadable('k')} and not exists (select from course_contents c where c.course_id = k.id)`,
  },
  {
    name: 'courseHoldsGone',
    what: 'A course is empty, holds a deleted lesson, holds lessons though it is deleted itself, or opens one to everybody that it does not hold.',
    wrong: sql`
      select 'course ' || k.id as id from courses k
      where k.deleted_at is null and not exists (select from course_lessons held where held.course_id = k.id)
      union all
      select 'course ' || held.course_id || ', lesson ' || held.lesson_id
      from (
        select course_id, lesson_id from course_lessons union all select course_id, lesson_id from course_kept_lessons
      ) held
      join lessons l on l.id = held.lesson_id join courses k on k.id = held.course_id
      where not ${isReadable('l')} or not ${isReadable('k')}
      union all
      select 'course ' || c.course_id || ', lesson ' || c.free_preview
      from course_contents c
      where c.free_preview is not null and not exists (
        select from course_lessons held where held.course_id = c.course_id and held.lesson_id = c.free_preview
      )`,
  },
  {
    name: 'resourceNotAttached',
    what: 'A lesson names an uploaded resource that is not its own, or one is attached to a lesson that does not name it.',
    wrong: sql`
      select 'lesson ' || l.id as id
      from lesson_contents c join lessons l on l.id = c.lesson_id and ${isReadable('l')}
      where starts_with(c.resources, ${ADDRESS}) and not exists (
        select from uploads u where u.lesson_id = l.id and u.id::text = ${NAMED}
      )
      union all
      select 'upload ' || u.id
      from uploads u left join lessons l on l.id = u.lesson_id left join lesson_contents c on c.lesson_id = l.id
      where u.lesson_id is not null and (
        l.id is null or not ${isReadable('l')} or not starts_with(coalesce(c.resources, ''), ${ADDRESS})
        or u.id::text <> ${NAMED}
      )`,
  },
  {
    name: 'conversationBroken',
    what: 'A conversation lacks one side in the list of contacts, or does not end with its last message.',
    wrong: sql`
      with newest as materialized (
        select least(sender_id, receiver_id) as one, greatest(sender_id, receiver_id) as other, max(id) as id
        from messages group by 1, 2
      )
      select 'person ' || c.user_id || ', with ' || c.other_id as id
      from conversations c left join newest n
        on n.one = least(c.user_id, c.other_id) and n.other = greatest(c.user_id, c.other_id)
      where n.id is distinct from c.last_message_id
      union all
      select 'person ' || side.user_id || ', with ' || side.other_id
      from newest n cross join lateral (values (n.one, n.other), (n.other, n.one)) side (user_id, other_id)
      -- a person who erased their account has no contacts
      join users u on u.id = side.user_id and u.erased_at is null
      left join conversations c on c.user_id = side.user_id and c.other_id = side.other_id
      where c.user_id is null`,
  },
  {
    name: 'certificateIncomplete',
    what: 'A certificate that holds lacks a part of what it says for good: a name, the course, its lessons or its author.',
    wrong: sql`
      select 'certificate ' || c.id as id from certificates c
      where c.withdrawn_at is null
        and ('' in (c.name, c.course_title, c.author_name) or cardinality(c.lessons) = 0)`,
  },
  ...missing(
    'notices',
    sql`
    select 'notice ' || n.id as id from notices n
    left join lessons l on n.item_kind = 'lesson' and l.id = n.item_id
    left join courses k on n.item_kind = 'course' and k.id = n.item_id
    where n.item_id is not null and l.id is null and k.id is null
`,
  ),
  ...missing(
    'entries of lessons',
    sql`
    select 'entry ' || e.id as id from point_entries e
    where e.item_kind = 'lesson' and not exists (select from lessons l where l.id = e.item_id)`,
  ),
  ...missing(
    'entries of courses',
    sql`
    select 'entry ' || e.id as id from point_entries e
    where e.item_kind = 'course' and not exists (select from courses k where k.id = e.item_id)`,
  ),
  ...missing(
    'views',
    sql`
    select distinct 'lesson ' || v.lesson_id as id from lesson_views v
    where not exists (select from lessons l where l.id = v.lesson_id)`,
  ),
  ...missing(
    'reports',
    sql`
    select 'report ' || f.id as id from (
      select id, kind,
        case when kind <> 'profile' and subject_id ~ '^[0-9]{1,16}$' then subject_id::bigint end as number,
        case when kind = 'profile' and subject_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then subject_id::uuid end as person
      from flags
    ) f
    where not case f.kind
      when 'lesson' then exists (select from lessons l where l.id = f.number)
      when 'course' then exists (select from courses k where k.id = f.number)
      when 'comment' then exists (select from comments m where m.id = f.number)
      when 'message' then exists (select from messages m where m.id = f.number)
      else exists (select from users u where u.id = f.person)
    end`,
  ),
]

/** References without a foreign key. */
function missing(part: string, wrong: Rule['wrong']): Rule[] {
  return [
    {
      name: 'missingSubject',
      part,
      what: 'An entry, a view, a notice or a report is about something that was never there.',
      wrong,
    },
  ]
}

/**
 * Returns a rule for each table with foreign keys. The database enforces them, but not against a restore with
 * disabled triggers or a disk that loses writes. Reads the catalogue, so that new tables are included.
 */
export async function findReferences(db: DbOrTx): Promise<Rule[]> {
  const { rows } = await sql<{ owner: string; column: string; target: string; key: string }>`
    select owner.relname as owner, mine.attname as column, target.relname as target, theirs.attname as key
    from pg_constraint c
    join pg_class owner on owner.oid = c.conrelid
    join pg_class target on target.oid = c.confrelid
    join pg_attribute mine on mine.attrelid = c.conrelid and mine.attnum = c.conkey[1]
    join pg_attribute theirs on theirs.attrelid = c.confrelid and theirs.attnum = c.confkey[1]
    where c.contype = 'f' and c.connamespace = 'public'::regnamespace and cardinality(c.conkey) = 1
    order by 1, 2`.execute(db)
  const tables = Map.groupBy(rows, ({ owner }) => owner)
  return [...tables].map(([owner, references]) => {
    const known = references.map(({ target, key, column }, place) => ({
      join: sql`left join ${sql.table(target)} ${sql.id(`r${place}`)}
        on ${sql.ref(`r${place}.${key}`)} = ${sql.ref(`t.${column}`)}`,
      isBroken: sql`(${sql.ref(`t.${column}`)} is not null and ${sql.ref(`r${place}.${key}`)} is null)`,
      named: sql`${sql.lit(`${owner}.${column} `)} || ${sql.ref(`t.${column}`)}`,
    }))
    return {
      name: 'brokenReference',
      part: owner,
      what: 'A row refers to another one that is not there.',
      wrong: sql`
        select distinct broken.id from ${sql.table(owner)} t
        ${sql.join(
          known.map(({ join }) => join),
          sql` `,
        )}
        cross join lateral (values ${sql.join(
          known.map(({ isBroken, named }) => sql`(case when ${isBroken} then ${named} end)`),
        )}) broken (id)
        where (${sql.join(
          known.map(({ isBroken }) => isBroken),
          sql` or `,
        )}) and broken.id is not null`,
    }
  })
}

/**
 * Returns a rule for all columns with sequences: the next value must be unused. Restoring rows doesn't advance
 * sequences.
 */
export async function findSequences(db: DbOrTx): Promise<Rule> {
  const { rows } = await sql<{ owner: string; column: string; sequence: string }>`
    select c.relname as owner, a.attname as column,
      pg_get_serial_sequence(format('%I.%I', n.nspname, c.relname), a.attname) as sequence
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and a.attidentity <> '' and not a.attisdropped
    order by 1, 2`.execute(db)
  const behind: RawBuilder<{ id: string }>[] = rows.map(
    ({ owner, column, sequence }) => sql`
      select ${sql.lit(`${owner}.${column}`)} as id
      where (select max(${sql.ref(column)}) from ${sql.table(owner)})
        > coalesce(pg_sequence_last_value(${sql.lit(sequence)}::regclass), 0)`,
  )
  return {
    name: 'sequenceBehind',
    what: 'The next id that is drawn for a table is taken already: whoever adds a row to it will fail.',
    wrong: sql`${sql.join(behind, sql` union all `)}`,
  }
}
