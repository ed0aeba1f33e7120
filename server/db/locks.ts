/**
 * Advisory locks: who changes the same thing takes turns, on all nodes. Every key stands here, so that no two kinds
 * collide. The keys never change: during a rolling restart two versions of the product run side by side, and each must
 * wait for the other.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '#server/db/connect.ts'

/** First halves of the keys that have two halves; the second is the hash of a text. */
export const LOCK_SPACES = {
  /** Held by a session, alone: nodes that start together migrate one after the other. */
  migrations: 7_261_001,
  /** Held by the session of a process that runs jobs, under the name that the queue knows it by. */
  workers: 7_261_002,
  /** One person's reservations of uploads, by the person's id: the quota is summed under it. */
  uploads: 7_261_003,
  /** One person's pictures, by the person's id, for the same reason. */
  pictures: 7_261_004,
  /** The files of one content, by its key. */
  pictureFiles: 7_261_005,
  /** Held by the session that makes a backup: one at a time, on all nodes. */
  backups: 7_261_006,
  /** Held by the same session while it reads files; who removes files takes it shared, or lets them lie for now. */
  fileRemovals: 7_261_007,
  /** Held by the session that restores a backup: one at a time into a database. */
  restores: 7_261_008,
} as const

/** What the other locks are taken on, as the text whose hash is the key. */
export const lockName = {
  /** Lessons and courses that are created from one draft: asking again finds what the first made. */
  draft: (ownerId: string, draftId: string) => `${ownerId} ${draftId}`,
  course: (id: number) => `course ${id}`,
  /** A name or an address that somebody claims, in the form in which it is compared. */
  username: (skeleton: string) => `name ${skeleton}`,
  email: (folded: string) => `email ${folded}`,
  /** The comments, reports and letters of one writer: each sees those before it when it is counted. */
  comments: (userId: string) => `comments ${userId}`,
  /** The notes of one person, which are counted under it. */
  notes: (userId: string) => `notes ${userId}`,
  /** Whom one person follows, which is counted under it; a block of two takes it of both. */
  follows: (userId: string) => `follows ${userId}`,
  /** The certificates of one person: of two that are taken at once the second finds the first. */
  certificates: (userId: string) => `certificates ${userId}`,
  /** The key that certificates are signed with, while it is made or replaced. */
  certificateKey: 'key of certificates',
  flags: (reporterId: string) => `flags ${reporterId}`,
  lettersOf: (subject: string) => `letters of ${subject}`,
  /** The words of the search: added for one item, they are removed for another. */
  dictionary: 'search words',
  /** Endpoints of webhooks, which are counted under it. */
  webhooks: 'webhooks',
  /** Who makes notices of what happened, one process of all at a time. */
  notices: 'notices',
  /** The letters that one person is to get a day. */
  lettersTo: (userId: string) => `letters to ${userId}`,
} as const

/**
 * Waits until nobody else holds one of the names, and holds all of them until the transaction ends. Several are taken
 * in one order for everybody, so that two transactions never wait for each other.
 */
export async function lock(tx: Tx, ...names: readonly string[]): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(key) from (
      select distinct hashtextextended(name, 0) as key from unnest(${names}::text[]) name order by 1
    ) keys`.execute(tx)
}

/** As `lock` of one name, but does not wait: false when somebody else holds it. */
export async function tryLock(tx: Tx, name: string): Promise<boolean> {
  const { rows } = await sql<{ got: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as got`.execute(tx)
  return rows[0]?.got === true
}

/** As `lock`, for a key of two halves: `space`, and the hash of `name`. */
export async function lockIn(
  tx: Tx,
  space: 'uploads' | 'pictures' | 'pictureFiles',
  name: string,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK_SPACES[space]}, hashtext(${name}))`.execute(tx)
}

/**
 * The same as a part of a statement, for a list of columns: the conversation of two people, whoever writes, so that
 * its messages get their ids in the order in which they become visible.
 */
export function lockConversation(oneId: string, otherId: string): RawBuilder<unknown> {
  return sql`pg_advisory_xact_lock(hashtextextended(
    least(${oneId}::text, ${otherId}::text) || greatest(${oneId}::text, ${otherId}::text), 0))`
}

/**
 * Whether files may be removed in this transaction. While a backup reads them they may not: it has the rows of an hour
 * ago, say, and the files must be those. They are removed by a later round.
 */
export async function mayRemoveFiles(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    select pg_try_advisory_xact_lock_shared(${LOCK_SPACES.fileRemovals}) as may`.execute(tx)
  return rows[0]?.may === true
}
