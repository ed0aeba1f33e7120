import type { Db, Tx } from '#server/platform/db/connect.ts'

/** Returns true if `userId` has blocked `blockedId`; the opposite direction is a separate row. */
export async function isBlocked(db: Db, userId: string, blockedId: string): Promise<boolean> {
  const row = await db
    .selectFrom('person_blocks')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('blocked_id', '=', blockedId)
    .executeTakeFirst()
  return row !== undefined
}

/** Blocks a person; an existing block keeps its time. */
export async function insertBlock(
  tx: Tx,
  userId: string,
  blockedId: string,
  at: Date,
): Promise<void> {
  await tx
    .insertInto('person_blocks')
    .values({ user_id: userId, blocked_id: blockedId, created_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Deletes the blocks of a person whose account is erased. */
export async function forgetBlocks(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('person_blocks').where('user_id', '=', userId).execute()
}

/** Lifts a block; does nothing when there is none. */
export async function deleteBlock(db: Db, userId: string, blockedId: string): Promise<void> {
  await db
    .deleteFrom('person_blocks')
    .where('user_id', '=', userId)
    .where('blocked_id', '=', blockedId)
    .execute()
}
