/** Resumable uploads of resources (tus), and the sizes and formats in which pictures are stored. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { PICTURE_BYTES, PICTURE_EXTENSIONS } from '#contract/limits.ts'
import { message } from '#contract/message.ts'

/** Widths in px. `thumbnail` names the middle one. */
export const PICTURE_WIDTHS = [320, 640, 1280] as const

/** AVIF is encoded later; until then its URLs return WebP. */
export const PICTURE_FORMATS = ['webp', 'avif'] as const
export type PictureFormat = (typeof PICTURE_FORMATS)[number]

/** Returns a `srcset` for a stored picture, or undefined for generated art (SVG). */
export function srcset(path: string, format: PictureFormat = 'webp'): string | undefined {
  const match = /^(\/files\/pictures\/[^/]+)\/\d+\.webp$/.exec(path)
  return match === null
    ? undefined
    : PICTURE_WIDTHS.map((width) => `${match[1]}/${width}.${format} ${width}w`).join(', ')
}

/** Checks a chosen file by name and size, and returns a packed message or null. The server checks its content. */
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
