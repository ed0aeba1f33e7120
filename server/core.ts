/** Makes the core of a process, once: what its folders share. */
import { deriveKey } from '#server/accounts/sessions/tokens.ts'
import { createReads } from '#server/db/replica/reads.ts'
import type { Replica } from '#server/db/replica/replica.ts'
import { createPictures } from '#server/files/pictures.ts'
import { openStorage } from '#server/files/places/open-storage.ts'
import { createChanges } from '#server/kernel/changes.ts'
import type { Core } from '#server/kernel/core.ts'
import { withNotices } from '#server/notices/recording.ts'
import { createEvents } from '#server/webhooks/recording.ts'
import { createViewCounter, type ViewCounter } from '#server/lessons/views.ts'

export type Given = Pick<Core, 'db' | 'clock' | 'config' | 'log' | 'publicUrl' | 'secrets'>

/** What differs between processes. */
interface Beside {
  /** Read from where that is enough; null: all is read from `db`. */
  readonly replica: Replica | null
}

/**
 * Opens the storage and makes a bus without subscribers. Who made it closes `views`, `storage`, then the database.
 * @throws what the file system throws when DATA_DIR can't be written; StartFailure for what S3_URL lacks
 */
export async function createCore(
  given: Given,
  { replica }: Beside = { replica: null },
): Promise<Core & { readonly views: ViewCounter }> {
  const { db, clock, config, log, publicUrl, secrets } = given
  const storage = await openStorage(config, log)
  const changes = createChanges(log)
  return {
    db,
    reads: createReads(db, replica, changes),
    clock,
    config,
    log,
    publicUrl,
    secrets,
    storage,
    storePicture: createPictures(db, storage),
    views: createViewCounter({ db, clock, log, changes, salt: deriveKey(secrets[0], 'views') }),
    changes,
    events: withNotices(createEvents(changes, publicUrl)),
  }
}
