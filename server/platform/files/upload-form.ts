/** An upload in one request, as a form: streamed to storage, never completely in memory. */
import type { MultipartFile } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import type { UploadedResource } from '#contract/files.ts'
import { RESOURCE_BYTES } from '#contract/limits.ts'
import type { Db } from '#server/platform/db/connect.ts'
import { resourceKey } from '#server/platform/files/names.ts'
import {
  dropUpload,
  fileMissing,
  fileTooLarge,
  finishUpload,
  reserveUpload,
  toUploadedResource,
} from '#server/platform/files/resources.ts'
import type { Storage } from '#server/platform/core/storage.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { unsupported } from '#server/kernel/errors.ts'

export interface FormNeeds {
  readonly db: Db
  readonly storage: Storage
  readonly clock: Clock
}

/** Stores the first file of the field `file`. @throws Refusal 400, 413 or 415 */
export async function receiveForm(
  needs: FormNeeds,
  request: FastifyRequest,
  viewer: Viewer,
): Promise<UploadedResource> {
  if (!request.isMultipart()) throw unsupported()
  const parts = request.parts({
    limits: { fileSize: RESOURCE_BYTES, files: 2, fields: 20, fieldSize: 1024, parts: 22 },
  })
  let stored: UploadedResource | null = null
  for await (const part of parts) {
    if (part.type !== 'file') continue
    if (part.fieldname === 'file' && stored === null)
      stored = await storePart(needs, part, viewer, announcedSize(request))
    else part.file.resume()
  }
  if (stored === null) throw fileMissing()
  return stored
}

/** Returns the length of the whole body as an upper bound; the true size is known at its end. */
function announcedSize(request: FastifyRequest): number {
  const length = Number(request.headers['content-length'])
  return length > 0 ? Math.min(length, RESOURCE_BYTES) : RESOURCE_BYTES
}

async function storePart(
  { db, storage, clock }: FormNeeds,
  part: MultipartFile,
  viewer: Viewer,
  room: number,
): Promise<UploadedResource> {
  const upload = await reserveUpload(db, clock, {
    ownerId: viewer.id,
    name: part.filename,
    size: room,
  })
  try {
    await storage.put(resourceKey(upload.id), part.file)
    if (part.file.truncated) throw fileTooLarge()
    const size = (await storage.sizeOf(resourceKey(upload.id))) ?? 0
    if (size === 0) throw fileMissing()
    await finishUpload(db, clock, { id: upload.id, size })
    return toUploadedResource({ ...upload, size })
  } catch (error) {
    await dropUpload(db, upload.id)
    await storage.remove(resourceKey(upload.id))
    throw error
  }
}
