/** Writes each built text file's brotli form beside it, so that the server compresses nothing that never changes. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { Plugin } from 'vite'

const compress = promisify(brotliCompress)
const TEXT = /\.(?:js|css|svg)$/
/** Bytes below which a second file saves nothing. */
const WORTH_IT = 400

/**
 * Writes a Brotli file beside each text file of the build that the browser loads, so that the server compresses
 * nothing while it answers.
 */
export function brotli(): Plugin {
  return {
    name: 'brotli',
    apply: (_, { isSsrBuild }) => isSsrBuild !== true,
    async writeBundle({ dir = '' }, bundle) {
      const files = Object.keys(bundle).filter((name) => TEXT.test(name))
      await Promise.all(
        files.map(async (name) => {
          const bytes = await readFile(join(dir, name))
          if (bytes.length < WORTH_IT) return
          const options = { params: { [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT } }
          await writeFile(join(dir, `${name}.br`), await compress(bytes, options))
        }),
      )
    },
  }
}
