/** Form bodies: text fields by name, files in memory up to the picture's limit. Large uploads have routes of their own. */
import type { FastifyRequest } from 'fastify'
import { PICTURE_BYTES } from '#contract/limits.ts'
import { Refusal, unsupported } from '#server/kernel/errors.ts'

const MEGABYTE = 1024 * 1024

/**
 * Reads a multipart body. A field that comes twice counts once, first value, unless it is one of `lists`.
 * A file part with an empty name and no bytes means "no file".
 */
export async function readForm(
  request: FastifyRequest,
  lists: readonly string[],
): Promise<Record<string, unknown>> {
  if (!request.isMultipart()) throw unsupported()
  const form: Record<string, unknown> = Object.create(null)
  const parts = request.parts({
    limits: { fileSize: PICTURE_BYTES, files: 4, fields: 200, fieldSize: 64 * 1024, parts: 204 },
  })
  for await (const part of parts) {
    if (part.type === 'field') {
      addField(form, part.fieldname, part.value, lists)
      continue
    }
    const bytes = await part.toBuffer()
    if (part.file.truncated) {
      const values = { megabytes: PICTURE_BYTES / MEGABYTE }
      throw new Refusal(413, 'pictureTooLarge', {
        values,
        fields: { [part.fieldname]: `pictureTooLarge?megabytes=${values.megabytes}` },
      })
    }
    if (part.filename === '' && bytes.length === 0) continue
    form[part.fieldname] ??= new File([new Uint8Array(bytes)], part.filename, {
      type: part.mimetype,
    })
  }
  return form
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
