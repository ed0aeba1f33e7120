import { join } from 'node:path'
import sharp from 'sharp'
import { avatar } from '#contract/art.ts'
import type { DemoPerson } from '#server/demo/content/types.ts'

const PICTURES = join(import.meta.dirname, 'pictures')

/** Returns a person's picture as a form would send it. */
export async function faceOf({ username, picture }: DemoPerson): Promise<File> {
  const bytes =
    picture === null
      ? await sharp(Buffer.from(avatar(username)))
          .resize(320)
          .png()
          .toBuffer()
      : await asJpeg(picture)
  return new File([new Uint8Array(bytes)], picture === null ? 'face.png' : 'face.jpg')
}

/** Converts a WebP file, because forms don't accept WebP. */
export function asJpeg(file: string): Promise<Buffer> {
  return sharp(join(PICTURES, file)).jpeg({ quality: 92 }).toBuffer()
}
