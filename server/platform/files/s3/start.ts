/** Opens the bucket of S3_URL at the start of a process and explains what is wrong with it. */
import { openBucket } from '#server/platform/files/s3/bucket.ts'
import { toFailure, type S3Failure } from '#server/platform/files/s3/failure.ts'
import { createS3Storage, sentenceOfClock } from '#server/platform/files/s3/store.ts'
import { tryOut, type Storage } from '#server/platform/core/storage.ts'
import type { Log } from '#server/kernel/log.ts'
import { StartFailure } from '#server/kernel/process/start-failure.ts'
import type { S3Address } from '#server/kernel/s3-address.ts'

/**
 * Tries what the product will do: list, write, read, remove. A server that is unavailable or full may recover, so
 * that is logged and the start continues.
 * @throws StartFailure with a sentence for a problem that an operator must fix
 */
export async function openS3Storage(address: S3Address, log: Log): Promise<Storage> {
  const { storage, failure, clock } = await tryBucket(address, log)
  if (failure === null) {
    if (clock !== null) log.warn(`S3_URL: ${clock}`)
    return storage
  }
  if (failure.trouble !== 'away' && failure.trouble !== 'full') {
    storage.close()
    throw new StartFailure(failure.message)
  }
  log.warn(`${failure.message} The start goes on without it.`)
  return storage
}

/** Does the same for a check; returns a sentence, or null when all is well. */
export async function examineBucket(address: S3Address, log: Log): Promise<string | null> {
  const { storage, failure, clock } = await tryBucket(address, log)
  storage.close()
  return failure?.message ?? (clock === null ? null : `S3_URL: ${clock}`)
}

interface Tried {
  readonly storage: Storage
  readonly failure: S3Failure | null
  /** The problem with the clocks. */
  readonly clock: string | null
}

async function tryBucket(address: S3Address, log: Log): Promise<Tried> {
  const bucket = openBucket(address, log)
  const storage = createS3Storage(bucket)
  try {
    await bucket.look()
    await tryOut(storage)
    return { storage, failure: null, clock: sentenceOfClock(bucket) }
  } catch (error) {
    return { storage, failure: toFailure(error), clock: null }
  }
}
