/**
 * Provides `virtual:messages/en`, `virtual:messages/en.desk` and so on: catalogues compiled by Lingui, so that the
 * browser needs no parser.
 */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'

const NAME = /^virtual:messages\/([\w.]+)$/

export function messages(): Plugin {
  return {
    name: 'messages',
    resolveId: (id) => (NAME.test(id) ? `\0${id}` : null),
    async load(id) {
      const [, name] = NAME.exec(id.replace('\0', '')) ?? []
      if (name === undefined) return null
      const file = fileURLToPath(new URL(`../contract/messages/${name}.json`, import.meta.url))
      this.addWatchFile(file)
      const catalogue = JSON.parse(await readFile(file, 'utf8')) as Record<string, string>
      // Lingui treats a bare string as a message that is not compiled yet.
      const compiled = Object.entries(catalogue).map(([key, text]) => [key, compileMessage(text)])
      const json = JSON.stringify(Object.fromEntries(compiled))
      return `export default JSON.parse(${JSON.stringify(json)})`
    },
  }
}
