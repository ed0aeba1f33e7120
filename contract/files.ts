/** Uploads of resources, resumable by tus at the same path, and the forms in which pictures are stored. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { PICTURE_BYTES, PICTURE_EXTENSIONS } from '#contract/limits.ts'
import { message } from '#contract/message.ts'

/** Widths in which a picture is stored; `thumbnail` names the middle one. */
export const PICTURE_WIDTHS = [320, 640, 1280] as const

/** The forms in which a picture is stored. AVIF is made later; until then its addresses answer the other. */
export const PICTURE_FORMATS = ['webp', 'avif'] as const
export type PictureFormat = (typeof PICTURE_FORMATS)[number]

/** A `srcset` for a picture path of ours, or undefined for generated art (SVG). */
export function srcset(path: string, format: PictureFormat = 'webp'): string | undefined {
  const match = /^(\/files\/pictures\/[^/]+)\/\d+\.webp$/.exec(path)
  return match === null
    ? undefined
    : PICTURE_WIDTHS.map((width) => `${match[1]}/${width}.${format} ${width}w`).join(', ')
}

/** Why a chosen file can't be a picture, by its name and size (a packed message), or null. The server looks inside. */
export function pictureProblem(file: {
  readonly name: string
  readonly size: number
}): string | null {
  const extension = file.name.slice(file.name.lastIndexOf('.') + 1).toLowerCase()
  if (!PICTURE_EXTENSIONS.some((allowed) => allowed === extension)) return 'allowedExtensionsMs'
  if (file.size > PICTURE_BYTES)
    return message('pictureTooLarge', { megabytes: PICTURE_BYTES / 1024 ** 2 })
  return null
}

export const UploadedResource = z.object({ url: z.string(), name: z.string(), size: z.number() })
export type UploadedResource = z.infer<typeof UploadedResource>

export const files = endpoints({
  uploadResource: {
    methods: ['POST'],
    path: '/upload/resource',
    access: 'user',
    scope: 'write',
    form: true,
    input: z.object({ file: z.file({ error: 'fileRequired' }) }),
    answer: UploadedResource,
    summary: 'Upload one file of up to 50 MB; resumable by tus at the same path',
  },
})
