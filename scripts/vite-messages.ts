/**
 * `virtual:messages/en` and `/bg`: the catalogues as Lingui's compiled messages, so that no parser goes to the browser.
 * The browser's holds the texts of the frame round every page, and each page has one of its own beside it, which
 * `virtual:page-messages/en` and `/bg` list; the server, the tests and a build for development have everything at once.
 */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'
import { findPageKeys, type PageKeys } from './page-keys.ts'

const NAME = /^virtual:(messages|page-messages)\/(en|bg)(?:\/(.+))?$/
type Catalogue = Readonly<Record<string, string>>

/**
 * Serves `virtual:messages/en` and its like: in production each page gets a module of its own with the texts that it
 * shows, in development and in tests each language is one module.
 */
export function messages(): Plugin {
  let isProduction = false
  let keysOfPages: PageKeys | undefined
  return {
    name: 'messages',
    configResolved: ({ command, mode }) => {
      isProduction = command === 'build' && mode === 'production'
    },
    // A build that watches starts again with every change.
    buildStart: () => {
      keysOfPages = undefined
    },
    resolveId: (id) => (NAME.test(id) ? `\0${id}` : null),
    async load(id) {
      const [, kind, locale, page] = NAME.exec(id.replace('\0', '')) ?? []
      if (locale === undefined) return null
      const file = fileURLToPath(new URL(`../contract/messages/${locale}.json`, import.meta.url))
      this.addWatchFile(file)
      const catalogue = JSON.parse(await readFile(file, 'utf8')) as Catalogue
      if (!isProduction || this.environment.name !== 'client')
        return kind === 'messages'
          ? write(catalogue, Object.keys(catalogue))
          : 'export const pages = {}'
      const { core, pages } = (keysOfPages ??= findPageKeys(new Set(Object.keys(catalogue))))
      if (page !== undefined) return write(catalogue, pages.get(page) ?? [])
      if (kind === 'messages') return write(catalogue, core)
      const loaders = [...pages]
        .filter(([, own]) => own.size > 0)
        .map(([name]) => `'${name}': () => import('virtual:messages/${locale}/${name}')`)
      return `export const pages = { ${loaders.join(', ')} }`
    },
  }
}

function write(catalogue: Catalogue, keys: Iterable<string>): string {
  // Lingui takes a bare string for one that still has to be compiled.
  const compiled = [...keys].map((key) => [key, compileMessage(catalogue[key] ?? key)] as const)
  return `export default JSON.parse(${JSON.stringify(JSON.stringify(Object.fromEntries(compiled)))})`
}
