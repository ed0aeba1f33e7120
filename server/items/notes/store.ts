/** The only module that writes the table of notes. Every statement is limited to one person's notes. */
import { sql, type RawBuilder } from 'kysely'
import { foldTerm } from '#contract/fold.ts'
import { ROWS_PER_PAGE } from '#contract/limits.ts'
import type { ListedNote, Note } from '#contract/notes.ts'
import type { Db, DbOrTx, Tx } from '#server/platform/db/connect.ts'
import { contains } from '#server/platform/db/folded-search.ts'
import type { Entitlement } from '#server/items/shared/access.ts'
import { entitlementColumns, isReadable } from '#server/items/shared/entitlement.ts'

/** Named as in the contract, so that rows are valid answers. */
const columns = sql`n.id, n.lesson_id as lesson, n.text, n.second, n.created_at as date, n.edited_at as edited`

interface Row extends Omit<Note, 'date' | 'edited'> {
  readonly date: Date
  readonly edited: Date | null
}

const toNote = <Found extends Row>({ date, edited, ...row }: Found) => ({
  ...row,
  date: date.toISOString(),
  edited: edited?.toISOString() ?? null,
})

/** The writer's access to the lesson, and how many notes they have on it. */
export interface Before extends Entitlement {
  readonly notes: number
}

/** Returns null if there is no such lesson. */
export async function readBefore(tx: Tx, userId: string, lessonId: number): Promise<Before | null> {
  const { rows } = await sql<Before>`
    select ${entitlementColumns(sql`${userId}`)},
      (select count(*) from notes n where n.user_id = ${userId} and n.lesson_id = l.id) as notes
    from lessons l where l.id = ${lessonId} and ${isReadable('l')}`.execute(tx)
  return rows[0] ?? null
}

export interface NewNote {
  readonly userId: string
  readonly lessonId: number
  readonly text: string
  readonly second: number | undefined
  readonly draftId: string | undefined
}

/** Returns the note that was created from this draft, or null. */
export async function findDraftNote(tx: Tx, userId: string, draftId: string): Promise<Note | null> {
  const { rows } = await sql<Row>`
    select ${columns} from notes n where n.user_id = ${userId} and n.draft_id = ${draftId}`.execute(
    tx,
  )
  return rows[0] === undefined ? null : toNote(rows[0])
}

export async function insertNote(tx: Tx, note: NewNote, at: Date): Promise<Note> {
  const { userId, lessonId, text, second = null, draftId = null } = note
  const { rows } = await sql<Row>`
    insert into notes as n (user_id, lesson_id, text, text_folded, second, draft_id, created_at)
    values (${userId}, ${lessonId}, ${text}, ${foldTerm(text)}, ${second}, ${draftId}, ${at})
    returning ${columns}`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error('a note was not stored')
  return toNote(row)
}

/** Changes the text of a person's own note. Returns null if they have none with this id. */
export async function changeNote(
  db: Db,
  userId: string,
  { id, text }: Pick<Note, 'id' | 'text'>,
  at: Date,
): Promise<Note | null> {
  const { rows } = await sql<Row>`
    update notes n set text = ${text}, text_folded = ${foldTerm(text)}, edited_at = ${at}
    where n.id = ${id} and n.user_id = ${userId} returning ${columns}`.execute(db)
  return rows[0] === undefined ? null : toNote(rows[0])
}

/** Returns false if the person has no such note. */
export async function deleteNote(db: Db, userId: string, id: number): Promise<boolean> {
  const { rows } = await sql`
    delete from notes n where n.id = ${id} and n.user_id = ${userId} returning n.id`.execute(db)
  return rows.length > 0
}

/** Returns notes in the order of the video, then those without a position. */
export async function listNotesOf(db: Db, userId: string, lessonId: number): Promise<Note[]> {
  const { rows } = await sql<Row>`
    select ${columns} from notes n where n.user_id = ${userId} and n.lesson_id = ${lessonId}
    order by n.second nulls last, n.id`.execute(db)
  return rows.map(toNote)
}

/** Returns a page of a person's matching notes, newest first. */
export async function listNotes(
  db: Db,
  userId: string,
  { search, page }: { readonly search: string; readonly page: number },
): Promise<{ notes: ListedNote[]; total: number }> {
  type Listed = Row & Pick<ListedNote, 'title' | 'gone'> & { found: number }
  const { rows } = await sql<Listed | { id: null; found: number }>`
    with found as (
      select n.* from notes n join lessons l on l.id = n.lesson_id
      where n.user_id = ${userId} and ${matches(foldTerm(search))}
    ), shown as (
      select * from found order by id desc limit ${sql.lit(ROWS_PER_PAGE)} offset ${(page - 1) * ROWS_PER_PAGE}
    )
    select listed.*, (select count(*) from found) as found
    from (select 1) once left join (
      select ${columns}, coalesce(c.title, '') as title, not (${isReadable('l')}) as gone
      from shown n join lessons l on l.id = n.lesson_id left join lesson_contents c on c.lesson_id = n.lesson_id
    ) listed on true
    order by listed.id desc`.execute(db)
  const notes = rows.filter((row): row is Listed => row.id !== null)
  return { notes: notes.map(toNote), total: rows[0]?.found ?? 0 }
}

/** A scan suffices, because one person has few notes. */
function matches(term: string): RawBuilder<boolean> {
  if (term === '') return sql`true`
  return sql`(${contains('n.text_folded', term, 'walked')} or ${contains('l.title_folded', term, 'walked')})`
}

export async function forgetNotes(db: DbOrTx, userId: string): Promise<void> {
  await sql`delete from notes where user_id = ${userId}`.execute(db)
}
