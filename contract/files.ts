/** Uploads of resources. Resumable by tus at the same path. */
import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'

export const UploadedResource = z.object({ url: z.string(), name: z.string(), size: z.number() })
export type UploadedResource = z.infer<typeof UploadedResource>

export const files = {
  uploadResource: endpoint({
    methods: ['POST'],
    path: '/upload/resource',
    access: 'user',
    form: true,
    input: z.object({ file: z.file({ error: 'fileRequired' }) }),
    answer: UploadedResource,
    summary: 'Upload one file of up to 50 MB; resumable by tus at the same path',
  }),
}

/** Widths in which a picture is kept; `thumbnail` names the middle one. */
export const PICTURE_WIDTHS = [320, 640, 1280] as const

/** A `srcset` for a picture path of ours, or undefined for generated art (SVG). */
export function srcset(path: string): string | undefined {
  const match = /^(\/files\/pictures\/[^/]+)\/\d+\.webp$/.exec(path)
  return match === null
    ? undefined
    : PICTURE_WIDTHS.map((width) => `${match[1]}/${width}.webp ${width}w`).join(', ')
}
