import { createHash, randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { Upload as TusClient } from 'tus-js-client'
import type { FormError } from '#contract/errors.ts'
import type { Person, TestApp } from '#server/testing/app.ts'
import { formOf } from '#server/testing/http/forms.ts'

/** Returns SHA-256 in hexadecimal. */
export const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

export const bearer = (person: Person) => ({
  authorization: `Bearer ${person.session.accessToken}`,
})

/** Uploads a resource in chunks, as pages do, and returns its address. @throws the client's final error */
export function sendInPieces(
  app: Pick<TestApp, 'url'>,
  person: Person,
  bytes: Uint8Array,
  chunkSize = 3_000_000,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let url = ''
    const upload = new TusClient(Buffer.from(bytes), {
      endpoint: `${app.url}/api/upload/resource`,
      headers: bearer(person),
      metadata: { filename: 'plan.pdf' },
      chunkSize,
      retryDelays: [50, 100, 200, 400, 800],
      onAfterResponse: (_request, response) => {
        url = response.getHeader('x-resource-url') ?? url
      },
      onSuccess: () => resolve(url),
      onError: reject,
    })
    upload.start()
  })
}

/** Returns a picture that equals no other. */
export async function newPicture(width = 120): Promise<File> {
  const raw = { width: 12, height: 9, channels: 3 } as const
  const bytes = await sharp(randomBytes(12 * 9 * 3), { raw })
    .resize({ width })
    .jpeg()
    .toBuffer()
  return new File([new Uint8Array(bytes)], 'picture.jpg')
}

/** Replaces the person's picture. */
export const sendFace = (app: TestApp, as: Person, image: File) =>
  app.call<FormError[]>('PATCH', '/identity/update', { as, form: formOf({ image }) })
