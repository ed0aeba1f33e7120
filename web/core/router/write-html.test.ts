/** What pieces are made of, against React's own HTML. */
import fc from 'fast-check'
import { createElement as h, Fragment, memo, type ReactElement, type ReactNode, useId } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { createWriter } from '#web/core/router/write-html.ts'

/** React writes its hints in front of what they are for. */
function written(element: ReactElement): string {
  const { write, hints } = createWriter()
  const html = write(element)
  return [...hints, html].join('')
}

const Name = ({ of, children }: { of: string; children?: ReactNode }) => h('b', null, of, children)
const Remembered = memo(Name)

test.each<[string, ReactElement]>([
  ['texts side by side', h('p', null, 'a', 1, '', 0, 'b', h('i'), 'c', null, true, false, 'd')],
  ['texts across components', h('p', null, 'a', h(Fragment, null, 'b', ['c', 'd']), 'e')],
  [
    'components, remembered ones too',
    h('p', null, h(Name, { of: 'x' }, 'y'), h(Remembered, { of: 'z' })),
  ],
  [
    'names that HTML writes in another way',
    h('label', { className: '', htmlFor: 'f', tabIndex: -1 }),
  ],
  ['names with capitals', h('time', { dateTime: '2026', lang: undefined, title: '' })],
  [
    'what is true and false',
    h('button', {
      disabled: true,
      hidden: false,
      'aria-pressed': false,
      'data-x': true,
      title: true,
    }),
  ],
  [
    'what a press does',
    h('button', { type: 'button', onClick: () => undefined, popoverTarget: 'x' }),
  ],
  [
    'addresses',
    h('p', null, h('a', { href: '' }), h('a', { href: '/?a=1&b="' }), h('a', { href: '#x' })),
  ],
  ['an address that is a script', h('a', { href: ' java\nscript:alert(1)' })],
  ['drawings', h('svg', { className: 'i', viewBox: '0 0 1 1' }, h('use', { href: '/i.svg#x' }))],
  ['a lazy picture', h('img', { src: '/a.png', alt: '', width: 1, loading: 'lazy' })],
  [
    'a picture that is seen first',
    h('p', null, h('img', { src: '/a.png?a&b', alt: '' }), h('img', { src: '/a.png?a&b' })),
  ],
  [
    'a picture in sizes',
    h('p', null, h('img', { src: '/a', srcSet: '/a 1w', sizes: '1px', fetchPriority: 'high' })),
  ],
  [
    'a picture in forms',
    h('picture', null, h('source', { srcSet: '/a 1w' }), h('img', { src: '/a', srcSet: '/b 1w' })),
  ],
])('%s', (_, element) => {
  expect(written(element)).toBe(renderToString(element))
})

test('any text, as content and as an attribute', () => {
  const texts = fc.array(fc.string({ unit: 'grapheme' }))
  fc.assert(
    fc.property(texts, fc.string(), (contents, title) => {
      const element = h('p', { title, 'data-x': title }, ...contents, h('i', null, title))
      expect(written(element)).toBe(renderToString(element))
    }),
  )
})

describe('what React would write by rules that are not known here is refused', () => {
  const WithId = () => h('p', { id: useId() })
  test.each<[string, ReactElement]>([
    ['a hook', h(WithId)],
    ['a field', h('input', { value: 'a' })],
    ['a style', h('p', { style: { color: 'red' } })],
    ['HTML', h('p', { dangerouslySetInnerHTML: { __html: '<b>' } })],
    ['an element of its own kind', h('x-y')],
    ['a function as an attribute', h('p', { title: () => undefined })],
  ])('%s', (_, element) => {
    expect(() => written(element)).toThrow(/./)
  })
})
