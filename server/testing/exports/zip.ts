/** Reads uncompressed ZIP archives by their central directory, as all readers do. */
import { crc32 } from 'node:zlib'

const END = 0x06054b50
const CENTRAL = 0x02014b50
const LOCAL = 0x04034b50
/** Size of the fixed part of each record. */
const END_BYTES = 22
const CENTRAL_BYTES = 46
const LOCAL_BYTES = 30

/**
 * Returns the entries by name.
 * @throws Error if the archive is truncated, compressed, has a duplicate name or a wrong checksum
 */
export function readZip(archive: Buffer): Map<string, Buffer> {
  const end = archive.length - END_BYTES
  if (end < 0 || archive.readUInt32LE(end) !== END) throw new Error('it does not end as a ZIP does')
  const entries = new Map<string, Buffer>()
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (archive.readUInt32LE(at) !== CENTRAL) throw new Error('the directory is broken')
    const [nameBytes, extra, comment] = [28, 30, 32].map((place) =>
      archive.readUInt16LE(at + place),
    )
    const name = archive.toString('utf8', at + CENTRAL_BYTES, at + CENTRAL_BYTES + (nameBytes ?? 0))
    if (entries.has(name)) throw new Error(`${name} is there twice`)
    entries.set(name, readEntry(archive, name, at))
    at += CENTRAL_BYTES + (nameBytes ?? 0) + (extra ?? 0) + (comment ?? 0)
  }
  return entries
}

function readEntry(archive: Buffer, name: string, central: number): Buffer {
  const start = archive.readUInt32LE(central + 42)
  if (archive.readUInt32LE(start) !== LOCAL) throw new Error(`${name} is not where it should be`)
  if (archive.readUInt16LE(central + 10) !== 0) throw new Error(`${name} is compressed`)
  const from =
    start + LOCAL_BYTES + archive.readUInt16LE(start + 26) + archive.readUInt16LE(start + 28)
  const content = archive.subarray(from, from + archive.readUInt32LE(central + 24))
  if (crc32(content) !== archive.readUInt32LE(central + 16)) throw new Error(`${name} is damaged`)
  return content
}
