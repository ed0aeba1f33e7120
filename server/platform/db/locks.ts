/**
 * Advisory locks, which serialize changes of the same thing on all nodes. All keys are here so that no two kinds
 * collide, and they never change, because two versions of the product run side by side during a rolling restart.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '#server/platform/db/connect.ts'

/** First halves of two-part keys; the second half is the hash of a text. */
export const LOCK_SPACES = {
  /** Held by a session: nodes that start together migrate one after the other. */
  migrations: 7_261_001,
  /** Held by the session of a process that runs jobs, under its name in the queue. */
  workers: 7_261_002,
  /** The upload reservations of one person, by id: protects the sum that the quota limits. */
  uploads: 7_261_003,
  /** The pictures of one person, by id, for the same reason. */
  pictures: 7_261_004,
  /** The files with one content, by its key. */
  pictureFiles: 7_261_005,
  /** Held by the session that makes a backup: one at a time, on all nodes. */
  backups: 7_261_006,
  /** Held by the same session while it reads files. Removals take it shared, or are postponed if they can't. */
  fileRemovals: 7_261_007,
  /** Held by the session that restores a backup: one at a time into a database. */
  restores: 7_261_008,
} as const

/** Texts whose hashes are the keys of the other locks. */
export const lockName = {
  /** Lessons and courses created from one draft: a repeated call finds what the first one created. */
  draft: (ownerId: string, draftId: string) => `${ownerId} ${draftId}`,
  course: (id: number) => `course ${id}`,
  /** Lessons of one video, and of articles that may resemble each other: of two at once the second finds the first. */
  video: (id: string) => `video ${id}`,
  article: (band: number) => `article ${band}`,
  /** A name or an address that somebody claims, in the form in which it is compared. */
  username: (skeleton: string) => `name ${skeleton}`,
  email: (folded: string) => `email ${folded}`,
  /** The comments, reports and letters of one writer, so that each count includes the previous ones. */
  comments: (userId: string) => `comments ${userId}`,
  /** Protects the count and the versions of one person's drafts. */
  drafts: (userId: string) => `drafts ${userId}`,
  /** Protects the count of one person's notes. */
  notes: (userId: string) => `notes ${userId}`,
  /** Protects the count of people whom one person follows; a block takes the locks of both people. */
  follows: (userId: string) => `follows ${userId}`,
  /** The certificates of one person: the second of two concurrent calls finds the first one's certificate. */
  certificates: (userId: string) => `certificates ${userId}`,
  /** The signing key of certificates, while it is created or replaced. */
  certificateKey: 'key of certificates',
  /** The appeals of one person: the second of two concurrent calls finds the first one's appeal. */
  appeals: (userId: string) => `appeals ${userId}`,
  /** Protects the count of one person's open offers of captions. */
  captionOffers: (userId: string) => `caption offers ${userId}`,
  flags: (reporterId: string) => `flags ${reporterId}`,
  lettersOf: (subject: string) => `letters of ${subject}`,
  /** The words of the search: a change of one item adds words while another removes them. */
  dictionary: 'search words',
  /** Protects the count of webhook endpoints. */
  webhooks: 'webhooks',
  /** Held by the one process that passes events on. */
  events: 'events',
  /** Protects the count of letters that one person gets a day. */
  lettersTo: (userId: string) => `letters to ${userId}`,
} as const

/**
 * Waits for all of these names and holds them until the transaction ends. Takes them in the same order everywhere,
 * so that two transactions never deadlock.
 */
export async function lock(tx: Tx, ...names: readonly string[]): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(key) from (
      select distinct hashtextextended(name, 0) as key from unnest(${names}::text[]) name order by 1
    ) keys`.execute(tx)
}

/** Like `lock` for one name, but returns false instead of waiting. */
export async function tryLock(tx: Tx, name: string): Promise<boolean> {
  const { rows } = await sql<{ got: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as got`.execute(tx)
  return rows[0]?.got === true
}

/** Like `lock`, for a two-part key: `space` and the hash of `name`. */
export async function lockIn(
  tx: Tx,
  space: 'uploads' | 'pictures' | 'pictureFiles',
  name: string,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK_SPACES[space]}, hashtext(${name}))`.execute(tx)
}

/**
 * A part of a select list that locks the conversation of two people, whoever writes, so that its messages get ids
 * in the order in which they become visible.
 */
export function lockConversation(oneId: string, otherId: string): RawBuilder<unknown> {
  return sql`pg_advisory_xact_lock(hashtextextended(
    least(${oneId}::text, ${otherId}::text) || greatest(${oneId}::text, ${otherId}::text), 0))`
}

/**
 * Returns whether files may be removed in this transaction. While a backup reads files they may not: its rows may
 * be an hour old and need the files of that time. A later run removes them.
 */
export async function mayRemoveFiles(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    select pg_try_advisory_xact_lock_shared(${LOCK_SPACES.fileRemovals}) as may`.execute(tx)
  return rows[0]?.may === true
}
