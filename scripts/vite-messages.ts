/**
 * Compiles the languages of contract/messages, so that the browser needs no parser: one module for each language and
 * section, such as `virtual:messages/en.readers`. `virtual:messages` lists them, and `#locales` names the languages.
 */
import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'
import type { Section } from '#contract/messages/messages.ts'
import { fileOf, languages, sectionsOf } from '#server/kernel/text/locales.ts'

const NAME = /^virtual:messages\/([\w-]+)\.(\w+)$/
const LOCALES = '\0virtual:locales'
const LOADERS = '\0virtual:messages'
/** The lists of languages, which the build puts into one file with their importers. */
export const isLanguageList = (id: string): boolean => id === LOCALES || id === LOADERS
const SECTIONS: readonly Section[] = ['readers', 'members', 'desk']

export function messages(): Plugin {
  return {
    name: 'messages',
    enforce: 'pre',
    resolveId(id) {
      if (id === '#locales') return LOCALES
      return id === 'virtual:messages' || NAME.test(id) ? `\0${id}` : null
    },
    load(id) {
      if (id === LOCALES) return `export const languages = ${JSON.stringify(languages)}`
      if (id === LOADERS) return `export const loaders = { ${SECTIONS.map(loadersOf).join()} }`
      const [, locale, section] = NAME.exec(id.replace('\0', '')) ?? []
      if (locale === undefined || section === undefined) return null
      this.addWatchFile(fileOf(locale))
      // Lingui treats a bare string as a message that is not compiled yet.
      const compiled = Object.entries(sectionsOf(locale)[section] ?? {}).map(([key, text]) => [
        key,
        compileMessage(text),
      ])
      const json = JSON.stringify(Object.fromEntries(compiled))
      return `export default JSON.parse(${JSON.stringify(json)})`
    },
  }
}

function loadersOf(section: string): string {
  const loaders = Object.keys(languages).map(
    (locale) => `${JSON.stringify(locale)}: () => import('virtual:messages/${locale}.${section}')`,
  )
  return `${section}: { ${loaders.join()} }`
}
