/** The call that uploads a resource, resumable by tus at the same path; the forms in which pictures are stored. */
import { calls } from '#contract/endpoint.ts'
import { PICTURE_BYTES, PICTURE_EXTENSIONS } from '#contract/limits.ts'
import { message } from '#contract/message.ts'
import type { FilesSchemas } from '#contract/files.schemas.ts'

export const files = calls<FilesSchemas>()({
  uploadResource: {
    methods: ['POST'],
    path: '/upload/resource',
    access: 'user',
    scope: 'write',
    form: true,
  },
})

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
