/** Reads a file of a storage to its end, even when the connection breaks off in the middle. */
import { setTimeout as sleep } from 'node:timers/promises'
import { buffersOf } from '#server/backup/archive/pieces.ts'
import type { Storage } from '#server/files/storage.ts'

/** Milliseconds between tries at one place; then it is given up. */
const PAUSES = [500, 2000, 8000, 20_000]
/** One file is read at a time, and each piece costs a turn of the loop. */
const PIECE_BYTES = 512 * 1024

/**
 * The first `size` bytes of a file, which may be growing. What broke off is asked for again from there on.
 * @throws what the storage throws at last; Error for a file that is shorter, or gone
 */
export async function* readWhole(
  storage: Storage,
  key: string,
  size: number,
): AsyncGenerator<Buffer> {
  let position = 0
  let tries = 0
  while (position < size) {
    const from = position
    try {
      const found = await storage.open(key, { start: position, end: size - 1 }, PIECE_BYTES)
      if (found === null) throw new Error(`${key} has gone while it was read`)
      for await (const piece of buffersOf(found.stream)) {
        position += piece.length
        yield piece
      }
      if (position < size) throw new Error(`${key} is shorter than it was`)
    } catch (error) {
      if (position > from) tries = 0
      const pause = PAUSES[tries]
      if (pause === undefined || position > size) throw error
      tries += 1
      await sleep(pause)
    }
  }
}
