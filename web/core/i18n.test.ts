import type { Messages } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { createFormats } from '#web/core/format.ts'
import { createI18n, Rich, textsOf } from '#web/core/i18n.tsx'
import { SettingsContext } from '#web/core/settings.ts'

const NAMES = {
  en: { site: 'Zanaria', tagline: 'Made to be learned' },
  bg: { site: 'Занария', tagline: 'За учене' },
}

test('every text can contain the name of the site, in its language', () => {
  const messages: Messages = { aboutTitle: ['About ', ['site'], ', ', ['tagline']] }
  expect(textsOf(createI18n('en', messages, NAMES)).t('aboutTitle')).toBe(
    'About Zanaria, Made to be learned',
  )
  const i18n = createI18n('bg', messages, NAMES)
  const text = createElement(Rich, { id: 'aboutTitle', components: {} })
  const settings = {
    origin: '',
    names: NAMES,
    mail: '',
    social: '',
    authorShare: 0,
    offlineReading: false,
    year: 2026,
  }
  const page = createElement(SettingsContext, { value: settings }, text)
  expect(renderToStaticMarkup(createElement(I18nProvider, { i18n }, page))).toBe(
    'About Занария, За учене',
  )
})

test('tags in what a person wrote stay text', () => {
  const i18n = createI18n('en', { accountTitle: ['<b>', ['title'], '</b>'] }, NAMES)
  const title = '<b>x</b></b>&<i'
  const text = createElement(Rich, {
    id: 'accountTitle',
    values: { title },
    components: { b: createElement('b') },
  })
  expect(renderToStaticMarkup(createElement(I18nProvider, { i18n }, text))).toBe(
    '<b><bdi>&lt;b&gt;x&lt;/b&gt;&lt;/b&gt;&amp;&lt;i</bdi></b>',
  )
})

test('a date is written as people of each language write it', () => {
  const date = '2025-10-22T22:30:00Z'
  expect(createFormats('en').formatDate(date, 'UTC')).toBe('22 Oct 2025')
  expect(createFormats('bg').formatDate(date, 'UTC')).toBe('22.10.2025 г.')
  expect(createFormats('de').formatDate(date, 'UTC')).toBe('22. Okt. 2025')
  expect(createFormats('en').formatMoment(date, 'Europe/Sofia')).toBe('23 Oct 2025, 01:30')
})

test('a time in UTC is written as the same time of a named zone', () => {
  const { formatTime, formatClock } = createFormats('bg')
  for (const date of ['2026-01-02T03:04:59.999Z', '2024-02-29T00:00:00Z', '1999-12-31T23:59:00Z']) {
    // Reykjavik has used UTC throughout these years.
    expect(formatTime(date, 'UTC')).toBe(formatTime(date, 'Atlantic/Reykjavik'))
    expect(formatClock(date, 'UTC')).toBe(formatClock(date, 'Atlantic/Reykjavik'))
  }
  expect(formatTime('2024-02-29T00:07:00Z', 'UTC')).toBe('29/02/2024 00:07')
})

test('thousands are grouped as each language does', () => {
  const inAll = ['en', 'bg', 'de'].map((locale) => createFormats(locale).formatNumber(1234))
  expect(inAll).toEqual(['1,234', '1234', '1.234'])
})

test('a number below zero has a real minus sign', () => {
  expect(createFormats('en').formatNumber(-100)).toBe('−100')
})
