/** Opens the bucket of S3_URL at the start of a process, and says in a sentence what is wrong with it. */
import { randomUUID } from 'node:crypto'
import { openBucket } from '#server/files/s3/bucket.ts'
import { toFailure } from '#server/files/s3/failure.ts'
import { createS3Storage, sentenceOfClock } from '#server/files/s3/store.ts'
import type { Storage } from '#server/files/storage.ts'
import type { Log } from '#server/kernel/log.ts'
import { StartFailure } from '#server/kernel/process/start-failure.ts'
import type { S3Address } from '#server/kernel/s3-address.ts'

/**
 * Tries what the product will do there: list, write, read, remove. A server that does not answer, or has no room, may
 * do so later, so that is logged and the start goes on.
 * @throws StartFailure with a sentence for what stays wrong until somebody mends it
 */
export async function openS3Storage(address: S3Address, log: Log): Promise<Storage> {
  const bucket = openBucket(address, log)
  const storage = createS3Storage(bucket)
  try {
    await bucket.look()
    await tryOut(storage)
    const clock = sentenceOfClock(bucket)
    if (clock !== null) log.warn(`S3_URL: ${clock}`)
  } catch (error) {
    const failure = toFailure(error)
    if (failure.trouble !== 'away' && failure.trouble !== 'full') {
      storage.close()
      throw new StartFailure(failure.message)
    }
    log.warn(`${failure.message} The start goes on without it.`)
  }
  return storage
}

async function tryOut(storage: Storage): Promise<void> {
  const key = `unfinished/${randomUUID()}`
  const content = Buffer.from('May we write here?')
  await storage.put(key, content)
  try {
    const stored = await storage.open(key)
    stored?.stream.destroy()
    for await (const _ of storage.list('unfinished/')) break
  } finally {
    await storage.remove(key)
  }
}
