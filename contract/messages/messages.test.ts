import { compileMessage } from '@lingui/message-utils/compileMessage'
import { expect, test } from 'vitest'
import { catalogues } from '#contract/messages/catalogues.ts'

// The type checker reports this too, but its cache doesn't notice when only a catalogue changes.
test('English and Bulgarian have the same keys', () => {
  expect(Object.keys(catalogues.bg).toSorted()).toEqual(Object.keys(catalogues.en).toSorted())
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

test('both languages use the same placeholders and tags', () => {
  const different = Object.entries(catalogues.en).filter(([key, text]) => {
    const translated = Object.entries(catalogues.bg).find(([name]) => name === key)?.[1] ?? ''
    return JSON.stringify(partsOf(text)) !== JSON.stringify(partsOf(translated))
  })
  expect(different.map(([key]) => key)).toEqual([])
})

test('no text is empty', () => {
  for (const texts of Object.values(catalogues))
    expect(Object.entries(texts).filter(([, text]) => text.trim() === '')).toEqual([])
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

test('Bulgarian texts use consistent terms', () => {
  const wrong = Object.entries(NOT_BULGARIAN).flatMap(([rule, pattern]) =>
    Object.entries(catalogues.bg)
      .filter(([, text]) => pattern.test(text))
      .map(([key, text]) => `${rule}: ${key}, ${text}`),
  )
  expect(wrong).toEqual([])
})
