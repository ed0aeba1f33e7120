/** Changes rows of people by SQL, where the way there is not under test. */
import type { Updateable } from 'kysely'
import type { DB } from '#server/db/types.gen.ts'
import type { Person, TestApp } from '#server/testing/app.ts'

export async function setUser(
  { app }: TestApp,
  { session }: Person,
  change: Updateable<DB['users']>,
): Promise<void> {
  await app.database.db.updateTable('users').set(change).where('id', '=', session._id).execute()
}

/** Of all their sessions. */
export async function setSessions(
  { app }: TestApp,
  { session }: Person,
  change: Updateable<DB['sessions']>,
): Promise<void> {
  const { db } = app.database
  await db.updateTable('sessions').set(change).where('user_id', '=', session._id).execute()
}
