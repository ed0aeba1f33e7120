/** Writing a file on a disk piece by piece. */
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { letGo } from '#server/kernel/http/pieces.ts'

/** Writes to a new or known file from an offset on, flushes, and returns where it ends. */
export async function writeAt(
  path: string,
  content: AsyncIterable<Buffer>,
  offset: number,
): Promise<number> {
  const handle = await open(path, constants.O_WRONLY | constants.O_CREAT)
  try {
    let position = offset
    for await (const piece of content) {
      let written = 0
      while (written < piece.length) {
        const { bytesWritten } = await handle.write(
          piece,
          written,
          piece.length - written,
          position + written,
        )
        written += bytesWritten
      }
      position += written
      letGo(piece)
    }
    return position
  } finally {
    await handle.sync()
    await handle.close()
  }
}
