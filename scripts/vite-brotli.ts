import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { Plugin } from 'vite'

const compress = promisify(brotliCompress)
const TEXT = /\.(?:js|css|svg)$/
/** In bytes. Compressing smaller files saves nothing. */
const WORTH_IT = 400

/** Writes a Brotli version of each text file that browsers load, so that the server need not compress them. */
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
