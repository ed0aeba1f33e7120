/**
 * Archives in the format of age (age-encryption.org/v1), encrypted with a passphrase: `age --decrypt` reads them too.
 */
import { Readable } from 'node:stream'
import { Decrypter, Encrypter } from 'age-encryption'
import { buffersOf } from '#server/backup/archive/pieces.ts'
import { BackupError, damaged } from '#server/backup/archive/format.ts'

const BEGIN = Buffer.from('age-encryption.org/v1')
/**
 * Of scrypt: two to its power times 1 KiB of memory. The format's own 18 would take 256 MB for a second, more than all
 * the rest of a backup.
 */
const WORK_FACTOR = 16
/** The format's own. The library follows an archive that asks for up to 20, which would take a gigabyte. */
const HIGHEST_WORK_FACTOR = 18
/** A header with a passphrase takes some 150 bytes. The library reads on until it ends, wherever that is. */
const HEADER_BYTES = 1024
/** Characters of the shortest passphrase: whoever has the archive may try as many as they like. */
export const SHORTEST_PASSPHRASE = 10

/** Encrypts what a stream brings. */
export async function encrypt(plain: Readable, passphrase: string): Promise<Readable> {
  const encrypter = new Encrypter()
  encrypter.setScryptWorkFactor(WORK_FACTOR)
  encrypter.setPassphrase(passphrase)
  // Both are streams of bytes; two declarations of one thing.
  const bytes = ReadableStream.from<Uint8Array>(plain)
  return Readable.from(await encrypter.encrypt(bytes), { objectMode: false })
}

/**
 * Decrypts what a stream brings where it is encrypted; else gives it as it is. `passphrase` is asked for when it is
 * needed; null: there is none.
 * @throws BackupError for a passphrase that is missing or wrong, and for a forged header
 */
export async function* decryptIfNeeded(
  source: AsyncIterable<Buffer>,
  passphrase: () => Promise<string | null>,
): AsyncGenerator<Buffer> {
  const pieces = source[Symbol.asyncIterator]()
  try {
    const first: Buffer[] = []
    let length = 0
    while (length < HEADER_BYTES) {
      const next = await pieces.next()
      if (next.done === true) break
      first.push(next.value)
      length += next.value.length
    }
    const head = Buffer.concat(first)
    const whole = following(head, pieces)
    if (!head.subarray(0, BEGIN.length).equals(BEGIN)) return yield* whole
    checkHeader(head.subarray(0, HEADER_BYTES).toString('latin1'))
    yield* decrypt(whole, await passphrase())
  } finally {
    await pieces.return?.()
  }
}

/** @throws BackupError for a header that does not end, or asks for more work than any of ours */
function checkHeader(text: string): void {
  const factor = Number(/^-> scrypt \S+ (\d+)$/m.exec(text)?.[1] ?? 0)
  if (!text.includes('\n--- ') || factor > HIGHEST_WORK_FACTOR)
    throw damaged('its beginning was altered')
}

async function* following(head: Buffer, pieces: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield head
  for (let next = await pieces.next(); next.done !== true; next = await pieces.next())
    yield next.value
}

async function* decrypt(
  source: AsyncIterable<Buffer>,
  passphrase: string | null,
): AsyncGenerator<Buffer> {
  if (passphrase === null)
    throw new BackupError(
      'This backup is encrypted. Set BACKUP_PASSPHRASE, or BACKUP_PASSPHRASE_FILE, to what it was encrypted with.',
    )
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  let plain: ReadableStream<Uint8Array>
  try {
    plain = await decrypter.decrypt(ReadableStream.from<Uint8Array>(source))
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw error
    const isWrong = error instanceof Error && error.message.startsWith('no identity matched')
    throw isWrong
      ? new BackupError('The passphrase is not the one of this backup. Nothing was changed.')
      : damaged('its beginning was altered')
  }
  try {
    yield* buffersOf(plain)
  } catch (error) {
    if (error instanceof BackupError || (error instanceof Error && 'code' in error)) throw error
    throw damaged('it is cut, or was altered')
  }
}
