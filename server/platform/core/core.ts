/** What every folder gets: one value, made once per process (server/core.ts) and passed on, never imported. */
import type { Db } from '#server/platform/db/connect.ts'
import type { Reads } from '#server/platform/core/reads.ts'
import type { LiveSettings } from '#server/platform/core/settings.ts'
import type { Storage } from '#server/platform/core/storage.ts'
import type { CallContext } from '#server/kernel/call.ts'
import type { Events } from '#server/platform/events/events.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Config } from '#server/kernel/config.ts'
import type { Secrets } from '#server/kernel/keys.ts'
import type { Log } from '#server/kernel/log.ts'

/**
 * Checks and stores a picture; for a `File`, the extension of its name must match too. An unclaimed picture is
 * deleted within the hour (platform/files/picture-life.ts).
 * @throws Refusal 400 or 413 at the field `image`, 413 also when the person's storage is full; 503 when too many
 * uploads wait
 */
export type StorePicture = (
  file: File | Uint8Array,
  ownerId: string | null,
) => Promise<{ pictureId: number }>

/** Counts views of lessons (items/lessons/views.ts), also of pages that come from the cache. */
export interface Views {
  /** Records that the viewer saw the lesson. Whether it counts is decided when views are written. */
  count(lessonId: number, viewer: Pick<CallContext, 'viewer' | 'address' | 'agent'>): void
}

export interface Core {
  readonly db: Db
  /** Serves reads that may be about a second old; the same as `db` without a replica. */
  readonly reads: Reads
  readonly clock: Clock
  readonly config: Config
  readonly log: Log
  /** Origin of links, cookies and canonical addresses. */
  readonly publicUrl: string
  /** Keys for different purposes are derived from these (people/accounts/sessions/tokens.ts). */
  readonly secrets: Secrets
  readonly storage: Storage
  readonly storePicture: StorePicture
  readonly views: Views
  readonly events: Events
  readonly settings: LiveSettings
}
