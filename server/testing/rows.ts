/** Changes rows with SQL, for tests of something else. */
import { sql, type Updateable } from 'kysely'
import type { Db } from '#server/platform/db/connect.ts'
import type { DB } from '#server/platform/db/types.gen.ts'
import { newId } from '#server/kernel/ids.ts'
import { welcomePerson } from '#server/people/points/ledger.ts'
import type { Person, TestApp } from '#server/testing/app.ts'

export async function setUser(
  { app }: TestApp,
  { session }: Person,
  change: Updateable<DB['users']>,
): Promise<void> {
  await app.database.db.updateTable('users').set(change).where('id', '=', session._id).execute()
}

export async function setSessions(
  { app }: TestApp,
  { session }: Person,
  change: Updateable<DB['sessions']>,
): Promise<void> {
  const { db } = app.database
  await db.updateTable('sessions').set(change).where('user_id', '=', session._id).execute()
}

/** Adds a person without an app, with these points. Returns the id. */
export async function addAuthor(db: Db, points: number, at: Date): Promise<string> {
  const id = newId()
  await sql`insert into users (id, username, username_skeleton, username_folded, email, email_folded, password_hash)
    values (${id}, 'author', ${id}, ${id}, ${id}, ${id}, '')`.execute(db)
  await db.transaction().execute((tx) => welcomePerson(tx, id, points, at))
  return id
}

/** Adds lessons without reward or notice. Returns their ids, ascending. */
export async function addLessons(
  { app }: TestApp,
  { session }: Person,
  count: number,
  title = 'Lesson',
): Promise<number[]> {
  const { rows } = await app.database.pool.query<{ id: number }>(
    `with made as (
      insert into lessons (owner_id, title_folded) select $1, lower($3) from generate_series(1, $2::integer) returning id
    ) insert into lesson_contents (lesson_id, title, description, tags, video_id, article, article_minutes)
      select id, $3, 'What one learns', '{testing}', '-----------', '<p>Words</p>', 1 from made returning lesson_id as id`,
    [session._id, count, title],
  )
  return rows.map(({ id }) => id).toSorted((one, other) => one - other)
}
