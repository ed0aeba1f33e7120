import { DeleteObjectCommand, HeadObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import { ANSWER_MS, type Bucket } from '#server/platform/files/s3/bucket.ts'
import { isMissing } from '#server/platform/files/s3/failure.ts'
import { abort } from '#server/platform/files/s3/multipart.ts'
import { isKey } from '#server/platform/core/storage.ts'

/** Companions of an incomplete upload: what the upload library records, and data that isn't a full part yet. */
const COMPANIONS = ['info', 'part'] as const
const COMPANION = /^resources\/[^.]+\.(?:info|part)$/

/** Returns size and SHA-256 (if it was known when the object was written), or null if it doesn't exist. */
export async function lookAt(
  bucket: Bucket,
  key: string,
): Promise<{ readonly size: number; readonly sha256: string | undefined } | null> {
  const found = await orNull(
    bucket.run((client) =>
      client.send(new HeadObjectCommand({ Bucket: bucket.name, Key: key }), {
        requestTimeout: ANSWER_MS,
      }),
    ),
  )
  return found === null
    ? null
    : { size: found.ContentLength ?? 0, sha256: found.Metadata?.['sha256'] }
}

/** Doesn't throw if the object doesn't exist. @throws S3Failure */
export async function removeObject(bucket: Bucket, key: string): Promise<void> {
  await orNull(
    bucket.run((client) =>
      client.send(new DeleteObjectCommand({ Bucket: bucket.name, Key: key }), {
        requestTimeout: ANSWER_MS,
      }),
    ),
  )
}

/** Removes the parts of an incomplete resumable upload, and what is recorded about them. */
export async function removeUnfinished(bucket: Bucket, key: string): Promise<void> {
  const noted = await orNull(
    bucket.run((client) =>
      client.send(new HeadObjectCommand({ Bucket: bucket.name, Key: `${key}.info` }), {
        requestTimeout: ANSWER_MS,
      }),
    ),
  )
  if (noted === null) return
  const uploadId = noted.Metadata?.['upload-id']
  if (uploadId !== undefined) await abort(bucket, { key, uploadId })
  await removeCompanions(bucket, key)
}

/** Removes the companions of an incomplete upload. @throws S3Failure */
export async function removeCompanions(bucket: Bucket, key: string): Promise<void> {
  for (const companion of COMPANIONS) await removeObject(bucket, `${key}.${companion}`)
}

/** Lists our keys with this prefix, without the companions of incomplete uploads. @throws S3Failure */
export async function* listKeys(bucket: Bucket, prefix: string): AsyncGenerator<string> {
  let token: string | undefined
  do {
    const page = await bucket.run((client) =>
      client.send(
        new ListObjectsV2Command({
          Bucket: bucket.name,
          Prefix: prefix,
          ...(token !== undefined && { ContinuationToken: token }),
        }),
        { requestTimeout: ANSWER_MS },
      ),
    )
    for (const { Key } of page.Contents ?? [])
      if (Key !== undefined && isKey(Key) && !COMPANION.test(Key)) yield Key
    token = page.IsTruncated === true ? page.NextContinuationToken : undefined
  } while (token !== undefined)
}

/** Returns null if the object doesn't exist. */
export async function orNull<Value>(found: Promise<Value>): Promise<Value | null> {
  try {
    return await found
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}
