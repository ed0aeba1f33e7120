/** Makes the core of a process, once: what its folders share. */
import { join } from 'node:path'
import { deriveKey } from '#server/accounts/sessions/tokens.ts'
import { createPictures } from '#server/files/pictures.ts'
import { createDiskStorage } from '#server/files/disk.ts'
import { createChanges } from '#server/kernel/changes.ts'
import type { Core } from '#server/kernel/core.ts'
import { createViewCounter, type ViewCounter } from '#server/lessons/views.ts'

export type Given = Pick<Core, 'db' | 'clock' | 'config' | 'log' | 'publicUrl' | 'secrets'>

/**
 * Opens the storage in DATA_DIR and makes a bus without subscribers. Who made it closes `views`, then the database.
 * @throws what the file system throws when DATA_DIR can't be written
 */
export async function createCore(given: Given): Promise<Core & { readonly views: ViewCounter }> {
  const { db, clock, config, log, publicUrl, secrets } = given
  const storage = await createDiskStorage(join(config.DATA_DIR, 'files'))
  const changes = createChanges(log)
  return {
    db,
    clock,
    config,
    log,
    publicUrl,
    secrets,
    storage,
    storePicture: createPictures(db, storage),
    views: createViewCounter({ db, clock, log, changes, salt: deriveKey(secrets[0], 'views') }),
    changes,
  }
}
