/** Creates the core of a process, once: what its folders share. */
import { deriveKey } from '#server/people/accounts/sessions/tokens.ts'
import { createReads } from '#server/platform/core/reads.ts'
import type { Replica } from '#server/platform/db/replica/replica.ts'
import { createPictures } from '#server/platform/files/pictures.ts'
import { openStorage } from '#server/platform/files/places/open-storage.ts'
import { createEvents } from '#server/platform/events/events.ts'
import { openSettings, type LiveSettings } from '#server/platform/core/settings.ts'
import type { Core } from '#server/platform/core/core.ts'
import { createViewCounter, type ViewCounter } from '#server/items/lessons/views.ts'

export type Given = Pick<Core, 'db' | 'clock' | 'config' | 'log' | 'publicUrl' | 'secrets'>

interface CoreOptions {
  /** Serves reads that may be slightly old; null reads everything from `db`. */
  readonly replica?: Replica | null
  /** Read from the database if absent. */
  readonly settings?: LiveSettings
}

/**
 * Opens the storage and creates a bus without subscribers. The caller must close `views`, `storage` and then the
 * database.
 * @throws errors of the file system when DATA_DIR isn't writable; StartFailure for a wrong S3_URL
 */
export async function createCore(
  given: Given,
  { replica = null, settings }: CoreOptions = {},
): Promise<Core & { readonly views: ViewCounter }> {
  const { db, clock, config, log, publicUrl, secrets } = given
  const storage = await openStorage(config, log)
  const events = createEvents(log)
  return {
    db,
    reads: createReads(db, replica, events),
    clock,
    config,
    log,
    publicUrl,
    secrets,
    storage,
    storePicture: createPictures(db, storage),
    views: createViewCounter({ db, clock, log, events, salt: deriveKey(secrets[0], 'views') }),
    events,
    settings: settings ?? (await openSettings(config.settings, { db, events, log })),
  }
}
