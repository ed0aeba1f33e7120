/**
 * Encrypts archives with a passphrase in the format of age (age-encryption.org/v1), so `age --decrypt` reads them
 * too.
 */
import { Readable } from 'node:stream'
import { Decrypter, Encrypter } from 'age-encryption'
import { buffersOf } from '#server/operate/backup/archive/pieces.ts'
import { BackupError, damaged } from '#server/operate/backup/archive/format.ts'

const BEGIN = Buffer.from('age-encryption.org/v1')
/**
 * The work factor of scrypt: 2^16 KiB of memory. The default of 18 would take 256 MB for a second, more than the
 * rest of a backup.
 */
const WORK_FACTOR = 16
/** The default of age. The library accepts archives with up to 20, which would take a gigabyte. */
const HIGHEST_WORK_FACTOR = 18
/**
 * In bytes; a header with a passphrase has about 150. The library reads until the header ends, however long it is.
 */
const HEADER_BYTES = 1024
/** Characters of the shortest passphrase: an attacker who has the archive can try any number of them. */
export const SHORTEST_PASSPHRASE = 10

export async function encrypt(plain: Readable, passphrase: string): Promise<Readable> {
  const encrypter = new Encrypter()
  encrypter.setScryptWorkFactor(WORK_FACTOR)
  encrypter.setPassphrase(passphrase)
  // Two declarations describe the same streams of bytes.
  const bytes = ReadableStream.from<Uint8Array>(plain)
  return Readable.from(await encrypter.encrypt(bytes), { objectMode: false })
}

/**
 * Decrypts a stream if it is encrypted, and passes it on otherwise. Calls `passphrase` only when needed; null
 * means that there is none.
 * @throws BackupError for a missing or wrong passphrase and for a forged header
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

/** @throws BackupError for a header that doesn't end, or requires more work than ours */
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
