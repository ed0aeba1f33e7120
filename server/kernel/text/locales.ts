/** The languages of contract/messages: each file is one. The module `#locales` on the server. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

interface LanguageFile {
  readonly name: string
  readonly tag: string
  /** Texts by key, by section. A section may be missing. */
  readonly [section: string]: string | Readonly<Record<string, string>>
}

const FOLDER = new URL('../../../contract/messages/', import.meta.url)
const FIRST = 'en'

export const fileOf = (locale: string): string => fileURLToPath(new URL(`${locale}.json`, FOLDER))

export function readLanguage(locale: string): LanguageFile {
  // messages.test.ts checks the form of the files.
  return JSON.parse(readFileSync(fileOf(locale), 'utf8')) as LanguageFile
}

const others = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json') && name !== `${FIRST}.json`)
  .map((name) => name.slice(0, -'.json'.length))
  .toSorted()

export const languages: Readonly<Record<string, { readonly name: string; readonly tag: string }>> =
  Object.fromEntries(
    [FIRST, ...others].map((locale) => {
      const { name, tag } = readLanguage(locale)
      return [locale, { name, tag }]
    }),
  )

/** Returns the texts of a language by section, with English ones where the language has none. */
export function sectionsOf(
  locale: string,
): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const own = Object.assign(
    {},
    ...sectionsIn(readLanguage(locale)).map(([, texts]) => texts),
  ) as Readonly<Record<string, string>>
  const filled = sectionsIn(readLanguage(FIRST)).map(([section, texts]) => [
    section,
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, own[key] ?? text])),
  ])
  return Object.fromEntries(filled)
}

const sectionsIn = (file: LanguageFile) =>
  Object.entries(file).filter(
    (entry): entry is [string, Readonly<Record<string, string>>] => typeof entry[1] === 'object',
  )
