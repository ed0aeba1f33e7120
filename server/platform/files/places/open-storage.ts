/** Opens the configured storage: a disk, a bucket, or both while files move between them. */
import { join } from 'node:path'
import { createDiskStorage } from '#server/platform/files/places/disk.ts'
import { joinStorages } from '#server/platform/files/places/layers.ts'
import type { Storage } from '#server/platform/core/storage.ts'
import type { Config } from '#server/kernel/config.ts'
import type { Log } from '#server/kernel/log.ts'

/**
 * With S3_URL new files go to the bucket, or with FILES_IN=disk to DATA_DIR; reads use both.
 * @throws errors of the file system when DATA_DIR isn't writable; StartFailure for a wrong S3_URL
 */
export async function openStorage(
  config: Pick<Config, 'DATA_DIR' | 'S3_URL' | 'FILES_IN'>,
  log: Log,
): Promise<Storage> {
  const disk = await createDiskStorage(join(config.DATA_DIR, 'files'))
  if (config.S3_URL === undefined) return disk
  // The client is large, so it is imported only for a bucket.
  const { openS3Storage } = await import('#server/platform/files/s3/start.ts')
  const bucket = await openS3Storage(config.S3_URL, log)
  return config.FILES_IN === 'disk' ? joinStorages(disk, bucket) : joinStorages(bucket, disk)
}
