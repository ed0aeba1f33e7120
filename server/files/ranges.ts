/** What a request wants of a file: part of it, or nothing new (RFC 9110). */
import type { ByteRange } from '#server/files/storage.ts'

/**
 * The one range of a Range header within `size` bytes. Undefined: send all, as for several ranges or nonsense;
 * null: none of it exists.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | null | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (match === null) return undefined
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return undefined
  if (first === '')
    return last === '0' || size === 0
      ? null
      : { start: Math.max(0, size - Number(last)), end: size - 1 }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (start >= size) return null
  return end < start ? undefined : { start, end }
}

/** True when the If-None-Match header says that the caller has this version. */
export function hasVersion(header: string | undefined, etag: string): boolean {
  return (header ?? '')
    .split(',')
    .some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
}
