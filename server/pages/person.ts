/** The signed-in person as pages show them, without a token. */
import { personImage } from '#server/accounts/answer.ts'
import { findForSession } from '#server/accounts/store.ts'
import type { Db } from '#server/db/connect.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Person } from '#server/pages/renderer.ts'

/** Null when the account has gone meanwhile. */
export async function personOf(db: Db, viewer: Viewer): Promise<Person | null> {
  const found = await findForSession(db, viewer.id)
  if (found === undefined) return null
  return {
    _id: viewer.id,
    username: found.username,
    email: found.email,
    kbPoints: found.kb_points,
    role: viewer.role,
    imageUrl: personImage(viewer.id, found.picture_key),
  }
}
