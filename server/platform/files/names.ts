/**
 * Names of files: ours for pictures and resources; people's, which are cleaned before they are stored and escaped
 * before they are sent.
 */
import type { PictureFormat } from '#contract/files.ts'
import { lengthOf } from '#contract/measure.ts'

/** Returns the storage prefix of everything made from a picture. */
export function pictureFolder(key: string): string {
  return `pictures/${key}/`
}

export function pictureKey(key: string, width: number, format: PictureFormat = 'webp'): string {
  return `${pictureFolder(key)}${width}.${format}`
}

export function resourceKey(id: string): string {
  return `resources/${id}`
}

/** One per person, so that no copy is ever left over. */
export function exportKey(userId: string): string {
  return `exports/${userId}`
}

/** Prefix of upload URLs; the id follows. */
export const RESOURCE_ADDRESS = '/files/resources/'

/** Returns the URL at which people who may see the lesson download the file. */
export function resourceUrl(upload: { id: string; name: string }): string {
  return `${RESOURCE_ADDRESS}${upload.id}/${encodeURIComponent(upload.name)}`
}

/** In code points. */
const LONGEST = 255
/** In escaped characters, so that the URL of an upload fits where links are stored (RESOURCE_LINK_LENGTH). */
const LONGEST_ESCAPED = 1900
/** Splits into grapheme clusters, so that none is cut in two. */
const letters = new Intl.Segmenter()

/**
 * Returns the last part of a path without control and invisible characters, except the joiners that scripts and
 * emoji need. Shortens long names and keeps their extension.
 */
export function cleanName(given: string): string {
  const last = given.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const name = last
    .replaceAll(/(?![\u200c\u200d])[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  if (/^\.*$/.test(name)) return 'file'
  const dot = name.lastIndexOf('.')
  const ending = dot > 0 && name.length - dot <= 12 ? name.slice(dot) : ''
  let fitting = ''
  for (const { segment } of letters.segment(name.slice(0, name.length - ending.length))) {
    const longer = fitting + segment + ending
    if (lengthOf(longer) > LONGEST || encodeURIComponent(longer).length > LONGEST_ESCAPED) break
    fitting += segment
  }
  return (fitting === '' ? 'file' : fitting) + ending
}

/** Returns the Content-Disposition that makes a browser save the file under this name (RFC 6266). */
export function attachment(name: string): string {
  const plain = name.replaceAll(/[^\w. ()-]/g, '_')
  const escaped = encodeURIComponent(name).replaceAll(
    /['()*!]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${escaped}`
}
