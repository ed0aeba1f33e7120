/** Uploads of resources. Resumable by tus at the same path. */
import * as z from 'zod/mini'
import { endpoints } from '#contract/endpoint.ts'
import { files as calls } from '#contract/files.ts'

export const UploadedResource = z.object({ url: z.string(), name: z.string(), size: z.number() })
export type UploadedResource = z.infer<typeof UploadedResource>

const schemas = {
  uploadResource: {
    input: z.object({ file: z.file({ error: 'fileRequired' }) }),
    answer: UploadedResource,
    summary: 'Upload one file of up to 50 MB; resumable by tus at the same path',
  },
}
export type FilesSchemas = typeof schemas

/** The calls with what judges them, as the server needs them. */
export const files = endpoints(calls, schemas)
