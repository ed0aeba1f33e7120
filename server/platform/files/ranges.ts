/** Parses the headers of ranges and conditional requests (RFC 9110). */
import type { ByteRange } from '#server/platform/core/storage.ts'

/**
 * Returns the single range of a Range header within `size` bytes. Undefined means the whole file, also for several
 * ranges or an invalid header; null means that the range is outside the file.
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

/** Returns true when the If-None-Match header names this version. */
export function hasVersion(header: string | undefined, etag: string): boolean {
  return (header ?? '')
    .split(',')
    .some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
}
