import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { Link as RouterLink, MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { Link } from '#web/core/router/Link.tsx'
import { OPENS } from '#web/core/router/arrival.ts'
import { to } from '#web/core/paths.ts'

test.each([
  to.home(),
  to.lesson(7),
  to.course(3, 7),
  to.lessons({ search: 'a&b "ъ"', sort: 'likes', page: 2 }),
  to.login('/lesson/details/7?lang=bg'),
  to.chat('Мира'),
  to.profile('a', 'courses', 3),
])('on the server a link to %s is written as the router writes it', (address) => {
  const props = {
    to: address,
    state: OPENS,
    replace: true,
    preventScrollReset: true,
    className: 'more',
    'aria-current': 'page' as const,
    lang: 'bg',
    children: ['Details', createElement('span', { key: 1 }, ': Bread & "salt"')],
  }
  const page = (link: typeof Link) =>
    renderToString(createElement(MemoryRouter, null, createElement(link, props)))
  expect(page(Link)).toBe(page(RouterLink))
})
