/** Tests that every message isolates the writing direction of the values in it. */
import { I18nProvider } from '@lingui/react'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { LOCALES, type MessageKey } from '#contract/messages/messages.ts'
import { catalogueOf } from '#server/kernel/text/catalogues.ts'
import { findLeaks, HOSTILE, valuesOf } from '#server/testing/attacks/isolation.ts'
import { createI18n, Rich, textsOf } from '#web/core/i18n.tsx'
import { SettingsContext } from '#web/core/settings.ts'
import { titleOf } from '#web/layout/DocumentHead.tsx'

const NAME = { site: 'Bazaar', tagline: 'Learn' }
const NAMES = { en: NAME, bg: NAME }
const SETTINGS = {
  origin: '',
  names: NAMES,
  mail: '',
  social: '',
  authorShare: 0,
  offlineReading: false,
  year: 2026,
}

const elementsOf = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/<(\w+)>/gu)].map(([, tag = '']) => [tag, createElement('i')]),
  )

test.each(LOCALES)('no sentence in %s is reordered, and elements become <bdi>', (locale) => {
  const texts: Record<string, string> = catalogueOf(locale)
  const compiled = Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, compileMessage(text)]),
  )
  const i18n = createI18n(locale, compiled, NAMES)
  const { t } = textsOf(i18n)
  const leaks: string[] = []
  for (const [name, text] of Object.entries(texts)) {
    const taken = valuesOf(text)
    if (taken === null) continue
    const key = name as MessageKey
    for (const hostile of HOSTILE) {
      const values = Object.fromEntries(
        Object.entries(taken).map(([each, value]) => [each, value ?? hostile]),
      )
      if (findLeaks(t(key, values))) leaks.push(`t ${key}`)
    }
    const values = Object.fromEntries(
      Object.entries(taken).map(([each, value]) => [each, value ?? HOSTILE[1]]),
    )
    const rich = createElement(Rich, { id: key, values, components: elementsOf(text) })
    const page = createElement(SettingsContext, { value: SETTINGS }, rich)
    const html = renderToStaticMarkup(createElement(I18nProvider, { i18n }, page))
    const outside = html.replaceAll('<bdi>Knots of ropes</bdi>', '')
    if (outside.includes('Knots') || findLeaks(outside)) leaks.push(`Rich ${key}`)
  }
  expect(leaks).toEqual([])
})

test('the window title isolates the title of the page', () => {
  expect(findLeaks(titleOf(HOSTILE[0], 'Bazaar'))).toBe(false)
  expect(titleOf('Knots', 'Bazaar')).toBe('Knots · Bazaar')
})
