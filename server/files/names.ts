/** Names of files: ours for pictures and resources; people's cleaned before they are stored, escaped before they are sent. */
import type { PictureFormat } from '#contract/files.ts'
import { lengthOf } from '#contract/measure.ts'

/** Where everything that was made of a picture lies in storage. */
export function pictureFolder(key: string): string {
  return `pictures/${key}/`
}

/** Where a picture of one width lies in storage. */
export function pictureKey(key: string, width: number, format: PictureFormat = 'webp'): string {
  return `${pictureFolder(key)}${width}.${format}`
}

/** Where the file of an upload lies in storage. */
export function resourceKey(id: string): string {
  return `resources/${id}`
}

/** Where the copy of a person's data lies in storage: one a person, so that none is ever left over. */
export function exportKey(userId: string): string {
  return `exports/${userId}`
}

/** How the addresses of uploads begin; what follows is the id. */
export const RESOURCE_ADDRESS = '/files/resources/'

/** The address below which an upload is served to those who may see its lesson. */
export function resourceUrl(upload: { id: string; name: string }): string {
  return `${RESOURCE_ADDRESS}${upload.id}/${encodeURIComponent(upload.name)}`
}

/** Code points. */
const LONGEST = 255
/** Escaped, so that the address of an upload fits where links are stored (RESOURCE_LINK_LENGTH). */
const LONGEST_ESCAPED = 1900
/** What a reader takes for one letter is never cut in two. */
const letters = new Intl.Segmenter()

/**
 * The last part of a path, without control and invisible characters (but for the
 * joiners that scripts and emoji need), cut (its ending stays) where too long.
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

/** The value of Content-Disposition that makes a browser save the file under this name (RFC 6266). */
export function attachment(name: string): string {
  const plain = name.replaceAll(/[^\w. ()-]/g, '_')
  const escaped = encodeURIComponent(name).replaceAll(
    /['()*!]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${escaped}`
}
