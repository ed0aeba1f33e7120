/** Tests that hostile values never reorder the text around them. */
import { expect, test } from 'vitest'
import { message } from '#contract/message.ts'
import { LOCALES, type MessageKey } from '#contract/messages/messages.ts'
import { catalogueOf } from '#server/kernel/text/catalogues.ts'
import { translate, translatePacked } from '#server/kernel/text/messages.ts'
import { findLeaks, HOSTILE, valuesOf } from '#server/testing/attacks/isolation.ts'

const SENTENCES = LOCALES.flatMap((locale) =>
  Object.entries(catalogueOf(locale)).flatMap(([key, text]) => {
    const values = valuesOf(text)
    return values === null ? [] : [{ locale, key: key as MessageKey, values }]
  }),
)

test('the check detects reordered text', () => {
  expect(findLeaks('Kn\u202eots')).toBe(true)
  expect(findLeaks('\u2068Knots\u2069 \u2069')).toBe(true)
  expect(findLeaks('\u2068Knots')).toBe(true)
  expect(findLeaks('אב Knots')).toBe(true)
  expect(findLeaks('\u2068אב Knots\u2069: you got 10 KB Points')).toBe(false)
})

test.each(HOSTILE)('no message is reordered by %j, packed or not', (hostile) => {
  expect(SENTENCES.length).toBeGreaterThan(400)
  const leaks = SENTENCES.filter(({ locale, key, values }) => {
    const given = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, value ?? hostile]),
    )
    const said = [translate(locale, key, given), translatePacked(locale, message(key, given))]
    return said.some(findLeaks)
  })
  expect(leaks.map(({ locale, key }) => `${locale} ${key}`)).toEqual([])
})

test('a text that reorders nothing is not changed', () => {
  expect(translate('en', 'noticeRefunded', { title: 'Knots', amount: 10 })).toBe(
    '“Knots” was deleted: you got 10 KB Points back',
  )
})
