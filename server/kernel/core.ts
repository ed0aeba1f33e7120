/** What every folder gets: one value, made once in a process (server/core.ts) and passed on, never imported. */
import type { Db } from '#server/db/connect.ts'
import type { Reads } from '#server/db/replica/reads.ts'
import type { Storage } from '#server/files/storage.ts'
import type { CallContext } from '#server/kernel/call.ts'
import type { Changes } from '#server/kernel/changes.ts'
import type { Events } from '#server/kernel/events.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Config } from '#server/kernel/config.ts'
import type { Secrets } from '#server/kernel/keys.ts'
import type { Log } from '#server/kernel/log.ts'

/**
 * Checks and stores a picture; a `File` is judged by the ending of its name too. It goes within the hour unless it is
 * claimed (files/picture-life.ts).
 * @throws Refusal 400 or 413 at the field `image`, the latter also when the person's room is used up; 503 when too
 * many wait
 */
export type StorePicture = (
  file: File | Uint8Array,
  ownerId: string | null,
) => Promise<{ pictureId: number }>

/** Counts views of lessons (lessons/views.ts), those of pages that come from the cache too. */
export interface Views {
  /** Notes that the viewer was shown the lesson; whether it counts is decided when it is written. */
  count(lessonId: number, viewer: Pick<CallContext, 'viewer' | 'address' | 'agent'>): void
}

export interface Core {
  readonly db: Db
  /** Where to read what may be a second old; `db` where there is no replica. */
  readonly reads: Reads
  readonly clock: Clock
  readonly config: Config
  readonly log: Log
  /** Origin of links, cookies and canonical addresses. */
  readonly publicUrl: string
  /** Keys of different purposes are derived from them (accounts/tokens.ts). */
  readonly secrets: Secrets
  readonly storage: Storage
  readonly storePicture: StorePicture
  readonly views: Views
  readonly changes: Changes
  /** What other programs are told of; recorded in the transaction in which it happens. */
  readonly events: Events
}
