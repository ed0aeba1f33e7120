/**
 * Writes to a bucket. Small content takes one request. Large content is uploaded in parts; only one part is in memory
 * at a time.
 */
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  UploadPartCommand,
  type CompletedPart,
} from '@aws-sdk/client-s3'
import { PART_MS, type Bucket } from '#server/platform/files/s3/bucket.ts'
import { isMissing } from '#server/platform/files/s3/failure.ts'
import { freePiece } from '#server/kernel/http/pieces.ts'

/** In bytes. S3's minimum for all parts but the last, and the memory that an upload needs. */
export const PART_BYTES = 5 * 1024 * 1024

export interface ObjectMetadata {
  readonly type: string
  /** SHA-256 of the content in hexadecimal digits, if it is known in advance. */
  readonly sha256?: string | undefined
}

/** Stores bytes that are in memory already. @throws S3Failure */
export async function putBytes(
  bucket: Bucket,
  key: string,
  content: Uint8Array,
  metadata: ObjectMetadata,
): Promise<void> {
  await bucket.run((client) =>
    client.send(
      new PutObjectCommand({
        Bucket: bucket.name,
        Key: key,
        Body: content,
        ContentLength: content.byteLength,
        ...headersOf(metadata),
      }),
      { requestTimeout: PART_MS },
    ),
  )
}

/**
 * Stores a stream, reading at most one part ahead. If the stream fails, stores nothing and leaves no parts.
 * `partBytes` is at least PART_BYTES; a bucket accepts 10,000 parts. @throws S3Failure, or errors of the stream
 */
export async function putStream(
  bucket: Bucket,
  key: string,
  content: AsyncIterable<Buffer>,
  metadata: ObjectMetadata,
  partBytes: number = PART_BYTES,
): Promise<void> {
  const parts = inParts(content, partBytes)
  const first = await parts.next()
  if (first.done === true) return putBytes(bucket, key, new Uint8Array(), metadata)
  if (first.value.length < partBytes) {
    // A part that isn't full is the last one.
    await putBytes(bucket, key, first.value, metadata)
    // Lets the generator finish, which closes the stream.
    await parts.next()
    return
  }
  const uploadId = await begin(bucket, key, metadata)
  try {
    const done = [await putPart(bucket, { key, uploadId, number: 1 }, first.value)]
    for await (const part of parts)
      done.push(await putPart(bucket, { key, uploadId, number: done.length + 1 }, part))
    await complete(bucket, { key, uploadId }, done)
  } catch (error) {
    // If it can't be aborted now, a later sweep (listUnfinished) aborts it.
    await abort(bucket, { key, uploadId }).catch(() => undefined)
    throw error
  } finally {
    // Closes the stream.
    await parts.return(undefined).catch(() => undefined)
  }
}

/**
 * Yields full parts and a last one. All of them share one buffer, so each must be used before the next is
 * requested.
 */
async function* inParts(
  content: AsyncIterable<Buffer>,
  partBytes: number,
): AsyncGenerator<Buffer, void, undefined> {
  const part = Buffer.allocUnsafeSlow(partBytes)
  let filled = 0
  for await (const piece of content) {
    let used = 0
    while (used < piece.length) {
      const count = piece.copy(part, filled, used)
      used += count
      filled += count
      if (filled < partBytes) continue
      yield part
      filled = 0
    }
    // Returns the memory at once (see pieces.ts).
    freePiece(piece)
  }
  if (filled > 0) yield part.subarray(0, filled)
}

interface UploadInParts {
  readonly key: string
  readonly uploadId: string
}

async function begin(bucket: Bucket, key: string, metadata: ObjectMetadata): Promise<string> {
  const { UploadId } = await bucket.run((client) =>
    client.send(
      new CreateMultipartUploadCommand({ Bucket: bucket.name, Key: key, ...headersOf(metadata) }),
    ),
  )
  if (UploadId === undefined) throw new Error('S3 began an upload without an id')
  return UploadId
}

async function putPart(
  bucket: Bucket,
  { key, uploadId, number }: UploadInParts & { readonly number: number },
  content: Buffer,
): Promise<CompletedPart> {
  const { ETag } = await bucket.run((client) =>
    client.send(
      new UploadPartCommand({
        Bucket: bucket.name,
        Key: key,
        UploadId: uploadId,
        PartNumber: number,
        Body: content,
        ContentLength: content.length,
      }),
      { requestTimeout: PART_MS },
    ),
  )
  return { PartNumber: number, ETag }
}

async function complete(
  bucket: Bucket,
  { key, uploadId }: UploadInParts,
  parts: readonly CompletedPart[],
): Promise<void> {
  await bucket.run((client) =>
    client.send(
      new CompleteMultipartUploadCommand({
        Bucket: bucket.name,
        Key: key,
        UploadId: uploadId,
        MultipartUpload: { Parts: [...parts] },
      }),
      // The server may join the parts before it responds.
      { requestTimeout: PART_MS },
    ),
  )
}

/** Drops the parts of an upload; doesn't throw if it doesn't exist. @throws S3Failure */
export async function abort(bucket: Bucket, { key, uploadId }: UploadInParts): Promise<void> {
  try {
    await bucket.run((client) =>
      client.send(
        new AbortMultipartUploadCommand({ Bucket: bucket.name, Key: key, UploadId: uploadId }),
      ),
    )
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

/**
 * Lists unfinished multipart uploads of keys with this prefix. Their parts use storage that is billed.
 * @throws S3Failure
 */
export async function* listUnfinished(
  bucket: Bucket,
  prefix: string,
): AsyncGenerator<UploadInParts & { readonly begun: Date }> {
  let after: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {}
  while (after !== undefined) {
    const marker: { KeyMarker?: string; UploadIdMarker?: string } = after
    const page = await bucket.run((client) =>
      client.send(
        new ListMultipartUploadsCommand({ Bucket: bucket.name, Prefix: prefix, ...marker }),
      ),
    )
    for (const { Key, UploadId, Initiated } of page.Uploads ?? [])
      if (Key !== undefined && UploadId !== undefined)
        yield { key: Key, uploadId: UploadId, begun: Initiated ?? new Date() }
    after =
      page.IsTruncated === true && page.NextKeyMarker !== undefined
        ? {
            KeyMarker: page.NextKeyMarker,
            ...(page.NextUploadIdMarker !== undefined && {
              UploadIdMarker: page.NextUploadIdMarker,
            }),
          }
        : undefined
  }
}

function headersOf({ type, sha256 }: ObjectMetadata) {
  return { ContentType: type, ...(sha256 !== undefined && { Metadata: { sha256 } }) }
}
