/** `virtual:messages/en` and `/bg`: the catalogues as Lingui's compiled messages, so that no parser goes to the browser. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'

const NAME = /^virtual:messages\/(en|bg)$/

export function messages(): Plugin {
  return {
    name: 'messages',
    resolveId: (id) => (NAME.test(id) ? `\0${id}` : null),
    async load(id) {
      const locale = NAME.exec(id.replace('\0', ''))?.[1]
      if (locale === undefined) return null
      const file = fileURLToPath(new URL(`../contract/messages/${locale}.json`, import.meta.url))
      this.addWatchFile(file)
      const texts: unknown = JSON.parse(await readFile(file, 'utf8'))
      // Lingui takes a bare string for one that still has to be compiled.
      const compiled = Object.entries(texts as Record<string, string>).map(([key, text]) => [
        key,
        compileMessage(text),
      ])
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(Object.fromEntries(compiled)))})`
    },
  }
}
