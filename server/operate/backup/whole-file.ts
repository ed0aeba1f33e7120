/** Reads a file of a storage to its end, even when the connection breaks in the middle. */
import { setTimeout as sleep } from 'node:timers/promises'
import { buffersOf } from '#server/operate/backup/archive/pieces.ts'
import type { Storage } from '#server/platform/core/storage.ts'

/** In ms between tries at the same position; after the last it gives up. */
const PAUSES = [500, 2000, 8000, 20_000]
/** Only one file is read at a time, so pieces are large to save turns of the event loop. */
const PIECE_BYTES = 512 * 1024

/**
 * Reads the first `size` bytes of a file, which may be growing. After a break continues from the same position.
 * @throws the storage's last error; Error for a file that is shorter or gone
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
