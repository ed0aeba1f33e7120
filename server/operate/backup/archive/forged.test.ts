/** Tests that archives with forged sizes are refused with an explanation, before they use memory. */
import { Readable } from 'node:stream'
import { pack } from 'tar-stream'
import { expect, test } from 'vitest'
import { decryptIfNeeded, encrypt } from '#server/operate/backup/archive/encryption.ts'
import { BackupError } from '#server/operate/backup/archive/format.ts'
import { readArchive } from '#server/operate/backup/archive/read.ts'

const PASSPHRASE = 'four words that nobody guesses'
const MOST_BYTES = 64 * 1024 * 1024
const PIECE = Buffer.alloc(1024 * 1024, 0x61)

async function* following(head: Buffer, pieces = 200): AsyncGenerator<Buffer> {
  yield head
  for (let piece = 0; piece < pieces; piece++) yield PIECE
}

/** Returns the error of reading everything, and the peak memory meanwhile. */
async function refusalOf(source: AsyncIterable<unknown>) {
  const before = process.memoryUsage.rss()
  let most = before
  try {
    for await (const _ of source) most = Math.max(most, process.memoryUsage.rss())
  } catch (error) {
    return { error, bytes: Math.max(most, process.memoryUsage.rss()) - before }
  }
  throw new Error('it was taken')
}

const age = (line: string) =>
  Buffer.from(`age-encryption.org/v1\n-> scrypt AAAAAAAAAAAAAAAAAAAAAA ${line}`)

test.each([
  ['a work factor that takes a gigabyte', age('20\nAAAA\n--- AAAA\n')],
  ['a work factor without end', age('9'.repeat(300))],
  ['a line without end', age('16')],
  ['recipients without end', age('16\nAAAA\n-> x y\n'.repeat(100_000))],
])('an encrypted archive with %s is damaged', async (_what, head) => {
  const { error, bytes } = await refusalOf(decryptIfNeeded(following(head), async () => PASSPHRASE))
  expect(error).toBeInstanceOf(BackupError)
  expect(bytes).toBeLessThan(MOST_BYTES)
})

test('an encrypted archive decrypts, however its bytes are split', async () => {
  const encrypted = await (await encrypt(Readable.from([PIECE]), PASSPHRASE)).toArray()
  const whole = Buffer.concat(encrypted as Buffer[])
  const pieces = [whole.subarray(0, 10), whole.subarray(10, 1500), whole.subarray(1500)]
  const plain: Buffer[] = []
  for await (const piece of decryptIfNeeded(Readable.from(pieces), async () => PASSPHRASE))
    plain.push(piece)
  expect(Buffer.concat(plain).equals(PIECE)).toBe(true)
})

/** Makes the header of an entry that claims a size, with a valid tar checksum. */
function tarHead(name: string, size: string, type = '0'): Buffer {
  const head = Buffer.alloc(512)
  head.write(name, 0)
  head.write(size, 124)
  head.write(type, 156)
  head.write('ustar\u000000', 257)
  head.fill(' ', 148, 156)
  const sum = head.reduce((total, byte) => total + byte, 0)
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return head
}

async function withPaxSize(size: string): Promise<Buffer> {
  const tar = pack()
  tar.entry({ name: 'manifest.json', pax: { size } }, 'x')
  tar.finalize()
  const pieces: Buffer[] = []
  for await (const piece of tar) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

test.each([
  ['a manifest of 8 GB', async () => tarHead('manifest.json', '77777777777')],
  ['a long name of 8 GB', async () => tarHead('x', '77777777777', 'L')],
  ['a header of 8 GB', async () => tarHead('x', '77777777777', 'x')],
  ['a size that is no number', async () => tarHead('manifest.json', 'zzzzzzzzzzz')],
  ['a size below nothing', () => withPaxSize('-1')],
  ['a size beyond all numbers', () => withPaxSize('9'.repeat(40))],
])('a tar with %s is refused', async (_what, begin) => {
  const { error, bytes } = await refusalOf(readArchive(following(await begin())))
  expect(error).toBeInstanceOf(BackupError)
  expect(bytes).toBeLessThan(MOST_BYTES)
})
