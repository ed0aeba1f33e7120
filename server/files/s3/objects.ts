/** Objects of a bucket, one request each: looked at, listed, removed. */
import { DeleteObjectCommand, HeadObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import { ANSWER_MS, type Bucket } from '#server/files/s3/bucket.ts'
import { isMissing } from '#server/files/s3/failure.ts'
import { abort } from '#server/files/s3/multipart.ts'
import { isKey } from '#server/files/storage.ts'

/** Beside an upload that is not complete: what the library for uploads notes, and what is no part yet. */
const COMPANIONS = ['info', 'part'] as const
const COMPANION = /^resources\/[^.]+\.(?:info|part)$/

/** Its size, and its SHA-256 where that was known when it was written; null when it is not there. */
export async function lookAt(
  bucket: Bucket,
  key: string,
): Promise<{ readonly size: number; readonly sha256: string | undefined } | null> {
  const found = await orNull(
    bucket.ask((client) =>
      client.send(new HeadObjectCommand({ Bucket: bucket.name, Key: key }), {
        requestTimeout: ANSWER_MS,
      }),
    ),
  )
  return found === null
    ? null
    : { size: found.ContentLength ?? 0, sha256: found.Metadata?.['sha256'] }
}

/** Removing what is not there is no error. @throws S3Failure */
export async function removeObject(bucket: Bucket, key: string): Promise<void> {
  await orNull(
    bucket.ask((client) =>
      client.send(new DeleteObjectCommand({ Bucket: bucket.name, Key: key }), {
        requestTimeout: ANSWER_MS,
      }),
    ),
  )
}

/** Removes what an upload in pieces that is not complete has stored: its parts, and what is noted about them. */
export async function removeUnfinished(bucket: Bucket, key: string): Promise<void> {
  const noted = await orNull(
    bucket.ask((client) =>
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

/** Removes what stands beside an upload while it is not complete. @throws S3Failure */
export async function removeCompanions(bucket: Bucket, key: string): Promise<void> {
  for (const companion of COMPANIONS) await removeObject(bucket, `${key}.${companion}`)
}

/** Keys of ours that begin so, without what stands beside uploads under way. @throws S3Failure */
export async function* listKeys(bucket: Bucket, prefix: string): AsyncGenerator<string> {
  let token: string | undefined
  do {
    const page = await bucket.ask((client) =>
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

/** Null for what is not there. */
export async function orNull<Value>(found: Promise<Value>): Promise<Value | null> {
  try {
    return await found
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}
