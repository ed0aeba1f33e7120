/**
 * Encodes pictures in a process of its own (picture-process.ts): hostile files are decoded where they can harm
 * nothing else, and the memory is freed with the process.
 */
import sharp, { type Sharp } from 'sharp'
import { PICTURE_WIDTHS } from '#contract/files.ts'
import { PICTURE_PIXELS } from '#contract/limits.ts'
import { TOO_MANY_PIXELS } from '#server/platform/files/decoding.ts'

export interface Encoded {
  readonly width: number
  readonly height: number
  /** Average colour as `#rrggbb`. */
  readonly placeholder: string
  readonly forms: readonly EncodedForm[]
}

export interface EncodedForm {
  readonly width: number
  readonly content: Uint8Array
}

/** Maximum ratio of height to width; WebP itself ends at 16,383 pixels. */
const TALLEST = 4
/** In seconds; 40 megapixels take about one. Other pictures wait this long at most. */
const LONGEST_DECODE = 20
/** 0 to 9. Higher values save little and take much longer. */
const AVIF_EFFORT = 2
/** About the same quality as 80 for WebP. */
const AVIF_QUALITY = 55
/** The size that Open Graph readers show large. */
const PREVIEW = { width: 1200, height: 630 }

// Nothing is decoded twice, so a cache would only use memory.
sharp.cache(false)

/**
 * Encodes a picture upright and without metadata as WebP in all widths. @throws Error when it is no picture, or
 * TOO_MANY_PIXELS
 */
export async function encodePicture(bytes: Uint8Array): Promise<Encoded> {
  const { original, size } = await open(bytes)
  // Decodes once to the largest width, from which the others are made. sharp leaves out metadata by default.
  const { data, info } = await fit(original, Math.max(...PICTURE_WIDTHS))
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const decoded = () =>
    sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } })
  const forms = await inWidths((each) => fit(decoded(), each).webp({ quality: 80 }).toBuffer())
  return { ...size, placeholder: await averageColour(decoded()), forms }
}

/** Encodes the same widths as AVIF, from the largest WebP. */
export async function encodeAvif(largest: Uint8Array): Promise<readonly EncodedForm[]> {
  return inWidths((each) =>
    fit(sharp(largest), each).avif({ quality: AVIF_QUALITY, effort: AVIF_EFFORT }).toBuffer(),
  )
}

/** Encodes a JPEG of 16:9 without the black bars that YouTube adds to make it 4:3. @throws as encodePicture */
export async function encodeVideoCover(bytes: Uint8Array): Promise<Uint8Array> {
  const { original, size } = await open(bytes)
  const width = Math.min(size.width, Math.max(...PICTURE_WIDTHS))
  return original
    .resize({ width, height: Math.round((width * 9) / 16), fit: 'cover' })
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .jpeg({ quality: 90 })
    .toBuffer()
}

/** Opens an uploaded picture upright, with its size. */
async function open(bytes: Uint8Array) {
  // Reads only the header, because a small file may claim gigabytes of pixels.
  const { width, height, autoOrient } = await sharp(bytes, { limitInputPixels: false }).metadata()
  if (width * height > PICTURE_PIXELS) throw new Error(TOO_MANY_PIXELS)
  const original = sharp(bytes, { limitInputPixels: PICTURE_PIXELS, failOn: 'error' })
    .timeout({ seconds: LONGEST_DECODE })
    .autoOrient()
  return { original, size: autoOrient }
}

/** Encodes a JPEG for link previews. */
export async function encodePreview(bytes: Uint8Array): Promise<Uint8Array> {
  return sharp(bytes)
    .resize({ ...PREVIEW, fit: 'cover' })
    .flatten({ background: '#fff' })
    .jpeg({ quality: 80, mozjpeg: true })
    .toBuffer()
}

/** Encodes one after the other, which needs the least memory. */
async function inWidths(encode: (width: number) => Promise<Uint8Array>): Promise<EncodedForm[]> {
  const forms: EncodedForm[] = []
  for (const width of PICTURE_WIDTHS) forms.push({ width, content: await encode(width) })
  return forms
}

function fit(image: Sharp, width: number): Sharp {
  return image.resize({ width, height: width * TALLEST, fit: 'inside', withoutEnlargement: true })
}

/** Returns `#rrggbb`; transparent pixels count as white. */
async function averageColour(image: Sharp): Promise<string> {
  const pixel = await image
    .flatten({ background: '#fff' })
    .resize(1, 1, { fit: 'fill' })
    .toColourspace('srgb')
    .raw()
    .toBuffer()
  return `#${pixel.subarray(0, 3).toString('hex')}`
}
