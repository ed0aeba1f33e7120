/** A site that first stores its files on disk and then in a bucket, for tests of the move. */
import { join } from 'node:path'
import { expect } from 'vitest'
import { createDiskStorage } from '#server/platform/files/places/disk.ts'
import { bearer, sha } from '#server/testing/http/uploads.ts'
import { openTestBucket } from '#server/testing/s3/bucket.ts'
import { startS3 } from '#server/testing/s3/server.ts'
import { closeAtEnd, openTestApp } from '#server/testing/setup.ts'

/** `before` uses the disk; `site` uses the bucket and still reads from the disk. */
export async function openPlaces() {
  const s3 = closeAtEnd(await startS3())
  const before = await openTestApp()
  const site = await openTestApp({ S3_URL: s3.url, DATA_DIR: before.dataDir }, null, before)
  const ann = await before.signUp('ann')
  const disk = await createDiskStorage(join(before.dataDir, 'files'))
  const bucket = closeAtEnd(openTestBucket(s3.url)).storage
  const download = async (url: string) => {
    const response = await fetch(site.url + url, { headers: bearer(ann) })
    expect(response.status).toBe(200)
    return sha(Buffer.from(await response.arrayBuffer()))
  }
  return { s3, before, site, ann, disk, bucket, download }
}

export const keyOf = (url: string): string => `resources/${url.split('/')[3] ?? ''}`
