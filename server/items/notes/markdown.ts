/** Exports a person's notes as Markdown for other programs. */
import { sql } from 'kysely'
import { clockTime } from '#contract/clock-time.ts'
import type { Locale } from '#contract/messages/messages.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { translate } from '#server/kernel/text/messages.ts'

/** Rows per batch. A note has up to 4 kB. */
const BATCH = 200

interface Row {
  readonly id: number
  readonly lesson: number
  /** Position in the video, or the maximum if there is none, for sorting. */
  readonly place: number
  readonly second: number | null
  readonly text: string
  readonly title: string
  readonly date: Date
}

/** Yields one document in chunks, with a heading per lesson and its notes in the order of the video. */
export async function* writeNotes(
  db: Db,
  userId: string,
  { locale, site }: { readonly locale: Locale; readonly site: string },
): AsyncGenerator<string> {
  yield `# ${inLine(translate(locale, 'notesOf', { site }))}\n`
  const gone = translate(locale, 'noteLessonGone')
  let lesson: number | null = null
  for await (const row of readNotes(db, userId)) {
    if (row.lesson !== lesson) yield `\n## ${inLine(row.title === '' ? gone : row.title)}\n\n`
    lesson = row.lesson
    const day = row.date.toISOString().slice(0, 10)
    const head = row.second === null ? day : `${clockTime(row.second)}, ${day}`
    // Indents the following lines, so that they belong to the same list item.
    yield `- *${head}*\n\n  ${row.text.replaceAll('\n', '\n  ')}\n\n`
  }
}

/** Puts a title on one line and escapes Markdown characters. */
const inLine = (title: string) =>
  title.replaceAll(/[\\`*_{}[\]<>#|]/g, String.raw`\$&`).replaceAll('\n', ' ')

async function* readNotes(db: Db, userId: string): AsyncGenerator<Row> {
  let last: Row | undefined
  let isMore = true
  while (isMore) {
    const after = last ?? { lesson: 0, place: 0, id: 0 }
    const { rows }: { rows: Row[] } = await sql<Row>`
      select * from (
        select n.id, n.lesson_id as lesson, coalesce(n.second, 2147483647) as place, n.second, n.text,
          coalesce(c.title, '') as title, n.created_at as date
        from notes n left join lesson_contents c on c.lesson_id = n.lesson_id where n.user_id = ${userId}
      ) note where (lesson, place, id) > (${after.lesson}::bigint, ${after.place}::integer, ${after.id}::bigint)
      order by lesson, place, id limit ${sql.lit(BATCH)}`.execute(db)
    yield* rows
    last = rows.at(-1)
    isMore = rows.length === BATCH
  }
}
