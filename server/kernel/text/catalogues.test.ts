import { compileMessage } from '@lingui/message-utils/compileMessage'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { DEFAULT_LOCALE, LOCALES } from '#contract/messages/messages.ts'
import { readLanguage } from '#server/kernel/text/locales.ts'

const SECTIONS = ['readers', 'members', 'desk', 'server'] as const

const FORM = z.strictObject({
  name: z.string().check(z.minLength(1)),
  tag: z.string().check(z.refine((tag) => Intl.getCanonicalLocales(tag)[0] === tag)),
  ...Object.fromEntries(
    SECTIONS.map((section) => [section, z.optional(z.record(z.string(), z.string()))]),
  ),
})

/** Returns the texts of a language that its file has, by `section key`. */
function textsOf(locale: string): Readonly<Record<string, string>> {
  const file = readLanguage(locale)
  return Object.fromEntries(
    SECTIONS.flatMap((section) =>
      Object.entries(file[section] ?? {}).map(([key, text]) => [`${section} ${key}`, text]),
    ),
  )
}

const english = textsOf(DEFAULT_LOCALE)
const others = LOCALES.filter((locale) => locale !== DEFAULT_LOCALE)

test.each(LOCALES)('the file of %s has a name, a tag and known sections', (locale) => {
  expect(FORM.safeParse(readLanguage(locale)).error?.issues).toBeUndefined()
})

test('a key is in one section', () => {
  const keys = Object.keys(english).map((place) => place.split(' ')[1])
  expect(keys.filter((key, place) => keys.indexOf(key) !== place)).toEqual([])
})

test.each(others)('%s has no text that English lacks', (locale) => {
  expect(Object.keys(textsOf(locale)).filter((place) => !Object.hasOwn(english, place))).toEqual([])
})

// English would stand in for a missing text. `npm run check` says how complete every language is.
test.each(['bg', 'de'])('%s is complete', (locale) => {
  const own = textsOf(locale)
  expect(Object.keys(english).filter((place) => !Object.hasOwn(own, place))).toEqual([])
})

/** Returns the names of the placeholders and tags of a text. */
function partsOf(text: string): string[] {
  const compiled = compileMessage(text)
  const values = (Array.isArray(compiled) ? compiled : [])
    .filter((part) => Array.isArray(part))
    .map((part) => String(part[0]))
  const tags = [...text.matchAll(/<(\w+)>/g)].map((match) => `<${match[1] ?? ''}>`)
  return [...new Set([...values, ...tags])].toSorted()
}

test.each(others)('%s uses the same placeholders and tags as English', (locale) => {
  const different = Object.entries(textsOf(locale)).filter(
    ([place, text]) =>
      JSON.stringify(partsOf(english[place] ?? '')) !== JSON.stringify(partsOf(text)),
  )
  expect(different.map(([place]) => place)).toEqual([])
})

test.each(LOCALES)('no text of %s is empty', (locale) => {
  expect(Object.entries(textsOf(locale)).filter(([, text]) => text.trim() === '')).toEqual([])
})

const CODE = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/

test('the name of each file is a language code, which the database accepts', () => {
  expect(LOCALES.filter((locale) => !CODE.test(locale))).toEqual([])
})

/** Inconsistent terms, quotation marks and capitalisation that must not come back. */
const NOT_BULGARIAN: Readonly<Record<string, RegExp>> = {
  'points are точки КБ': /KB ?Points/i,
  'a balance is салдо': /остатък/iu,
  'who made an item is автор': /собственик/iu,
  'a view is гледане': /(?<!\p{L})прегледа(?!\p{L})/u,
  'an e-mail address is имейл': /електрон\p{L}+ (?:адрес|поща)/iu,
  'a preview is безплатен': /свобод[а-я]* преглед/iu,
  'the brand stands without quotation marks': /„(?:Базар на знания|\{(?:brand|site)\})“/u,
  'one person is addressed as Вие':
    /(?<!\p{L})(?:ви|вас|ваш(?:ия|ият|а|ата|е|ето|и|ите)?)(?!\p{L})/u,
  'nobody is told "you" by first name': /(?<!\p{L})(?:ти|теб|твой|твоя|Отключи|Създай)(?!\p{L})/u,
  'a first "или" of two has a comma before the second': /или [^.,:]* или /u,
}

const NOT_GERMAN: Readonly<Record<string, RegExp>> = {
  'points are KB-Punkte': /KB[ -]?Points/i,
  'a lesson is Lektion': /Lerneinheit|Unterrichtsstunde/u,
  'to edit is bearbeiten': /editier/iu,
  'quotation marks are „ and “': /["”«»]/u,
  'one person is addressed as du':
    /(?<!\p{L})(?:Ihnen|bitte \p{L}+ Sie|können Sie|haben Sie|Sie (?:haben|können|sind|müssen|dürfen) )/u,
  'a percent sign has a space before it': /\d%|\}%/u,
}

test.each([
  ['bg', NOT_BULGARIAN],
  ['de', NOT_GERMAN],
])('texts of %s use consistent terms', (locale, rules) => {
  const wrong = Object.entries(rules).flatMap(([rule, pattern]) =>
    Object.entries(textsOf(locale))
      .filter(([, text]) => pattern.test(text))
      .map(([key, text]) => `${rule}: ${key}, ${text}`),
  )
  expect(wrong).toEqual([])
})
