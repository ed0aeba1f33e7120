/** Opens the bucket of any S3 server as the product does. */
import { openBucket, type Bucket } from '#server/platform/files/s3/bucket.ts'
import { createS3Storage } from '#server/platform/files/s3/store.ts'
import type { Storage } from '#server/platform/core/storage.ts'
import { createLog } from '#server/kernel/log.ts'
import { parseS3Address, type S3Address } from '#server/kernel/s3-address.ts'

export interface TestBucket {
  readonly bucket: Bucket
  readonly storage: Storage
  close(): void
}

/** Parses an S3_URL. @throws Error with the parser's message */
export function addressOf(url: string): S3Address {
  const address = parseS3Address(url)
  if (typeof address === 'string') throw new Error(address)
  return address
}

/** Opens the bucket of an S3_URL without sending a request. @throws Error as `addressOf` */
export function openTestBucket(url: string): TestBucket {
  const bucket = openBucket(addressOf(url), createLog('silent'))
  const storage = createS3Storage(bucket)
  return { bucket, storage, close: () => storage.close() }
}
