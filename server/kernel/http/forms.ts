/**
 * Reads form bodies: text fields by name, files on disk. Each call reads only the fields it needs, and one address
 * may send only a few forms at once.
 */
import type { FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import {
  FORM_BYTES,
  FORMS_AT_ONCE,
  PICTURE_BYTES,
  RESOURCE_BYTES,
  UPLOAD_SECONDS,
} from '#contract/limits.ts'
import { message } from '#contract/message.ts'
import { hasBody, type Bodies } from '#server/kernel/http/bodies.ts'
import { Refusal, unsupported } from '#server/kernel/errors.ts'
import type { FormFile, FormFiles } from '#server/kernel/http/form-files.ts'
import { Queue } from '#server/kernel/limits/queue.ts'
import { networkOf } from '#server/kernel/network.ts'

const MEGABYTE = 1024 * 1024
const FIELD_BYTES = 64 * 1024
/** Bytes of an upload in memory between receiving and writing them. */
const UPLOAD_HELD = 256 * 1024

export interface Forms {
  /**
   * Reads the form of a call, hands its fields to `use` and removes its files, even if `use` throws. The first
   * value of a repeated field counts, unless the call takes a list; files that the call doesn't name are skipped.
   * A file part with an empty name and no bytes means "no file".
   * @throws Refusal 400, 408, 413, 415, 429, 503
   */
  use<Value>(
    request: FastifyRequest,
    endpoint: Endpoint,
    use: (fields: Record<string, unknown>) => Promise<Value>,
  ): Promise<Value>
  /** Receives an upload that `take` writes on as it arrives: the same limits, but with more time and bytes. */
  upload<Value>(request: FastifyRequest, take: () => Promise<Value>): Promise<Value>
}

/** `limited` bounds the forms of one address at once (RATE_LIMITS). */
export function createForms(bodies: Bodies, files: FormFiles, limited: boolean): Forms {
  const queue = new Queue(limited ? FORMS_AT_ONCE : { atOnce: {} })

  /** @throws Refusal 429, 503 when all bodies or the caller's network exceed their limits */
  const within = <Value>(address: string, act: () => Promise<Value>): Promise<Value> =>
    queue.run(networkOf(address), async () => {
      bodies.refuseWhenFull()
      return act()
    })

  return {
    use: async (request, endpoint, use) => {
      if (!request.isMultipart()) throw unsupported()
      const names = fileFields(endpoint)
      // Refuses before any of the body is read.
      if (Number(request.headers['content-length'] ?? 0) > FORM_BYTES)
        throw pictureTooLarge(names[0])
      return within(request.ip, async () => {
        const stored: FormFile[] = []
        let isOver = false
        try {
          const fields = await read(bodies, request, endpoint, async (part) => {
            const file = await files.store(part.file, part.filename, part.mimetype)
            // A body stopped meanwhile is already answered, and nobody else would remove the file.
            if (isOver) await files.remove(file)
            else stored.push(file)
            return file
          })
          return await use(fields)
        } finally {
          isOver = true
          for (const file of stored) await files.remove(file)
        }
      })
    },
    upload: (request, take) => {
      if (!hasBody(request)) return take()
      bodies.of(request.raw)?.expect({
        most: RESOURCE_BYTES + MEGABYTE,
        totalMs: UPLOAD_SECONDS * 1000,
        held: UPLOAD_HELD,
      })
      return within(request.ip, take)
    },
  }
}

interface FilePart {
  readonly file: AsyncIterable<Buffer>
  readonly filename: string
  readonly mimetype: string
}

/** Reads until the form ends or its body is stopped. */
async function read(
  bodies: Bodies,
  request: FastifyRequest,
  endpoint: Endpoint,
  store: (part: FilePart) => Promise<FormFile>,
): Promise<Record<string, unknown>> {
  const stopped = Promise.withResolvers<never>()
  // If the form stops after its reader is done, the rejection must not count as unhandled.
  stopped.promise.catch(() => undefined)
  bodies.of(request.raw)?.expect({ most: FORM_BYTES, onStop: stopped.reject })
  return Promise.race([stopped.promise, readParts(request, endpoint, store)])
}

async function readParts(
  request: FastifyRequest,
  { input, lists }: Endpoint,
  store: (part: FilePart) => Promise<FormFile>,
): Promise<Record<string, unknown>> {
  const names = fileFields({ input })
  const form: Record<string, unknown> = Object.create(null)
  const parts = request.parts({
    limits: {
      fileSize: PICTURE_BYTES,
      files: names.length + 3,
      fields: 200,
      fieldSize: FIELD_BYTES,
      parts: 204,
    },
  })
  for await (const part of parts) {
    if (part.type === 'field') {
      addField(form, part.fieldname, part.value, lists)
      continue
    }
    const { fieldname } = part
    if (!names.includes(fieldname) || fieldname in form) {
      part.file.resume()
      continue
    }
    const file = await store(part)
    if (part.file.truncated) throw pictureTooLarge(fieldname)
    if (part.filename !== '' || file.size > 0) form[fieldname] = file
  }
  return form
}

function pictureTooLarge(field: string | undefined): Refusal {
  const values = { megabytes: PICTURE_BYTES / MEGABYTE }
  return new Refusal(413, 'pictureTooLarge', {
    values,
    ...(field !== undefined && { fields: { [field]: message('pictureTooLarge', values) } }),
  })
}

function fileFields({ input }: Pick<Endpoint, 'input'>): string[] {
  const { def } = input._zod
  const shape = 'shape' in def ? (def.shape as Record<string, z.ZodMiniType>) : {}
  return Object.entries(shape)
    .filter(([, schema]) => isFile(schema))
    .map(([name]) => name)
}

function isFile(schema: z.ZodMiniType): boolean {
  const { def } = schema._zod
  if (def.type === 'file') return true
  return 'innerType' in def && isFile(def.innerType as z.ZodMiniType)
}

function addField(
  form: Record<string, unknown>,
  name: string,
  value: unknown,
  lists: readonly string[],
): void {
  if (typeof value !== 'string') return
  if (lists.includes(name)) {
    const list = form[name]
    if (Array.isArray(list)) list.push(value)
    else form[name] = [value]
  } else if (!(name in form)) {
    form[name] = value
  }
}
