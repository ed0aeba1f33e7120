import { I18nProvider } from '@lingui/react'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { createI18n, Rich } from '#web/core/i18n.tsx'

test('tags in what a person wrote stay text', () => {
  const i18n = createI18n('en', { accountTitle: ['<b>', ['title'], '</b>'] })
  const title = '<b>x</b></b>&<i'
  const text = createElement(Rich, {
    id: 'accountTitle',
    values: { title },
    components: { b: createElement('b') },
  })
  expect(renderToStaticMarkup(createElement(I18nProvider, { i18n }, text))).toBe(
    '<b>&lt;b&gt;x&lt;/b&gt;&lt;/b&gt;&amp;&lt;i</b>',
  )
})
