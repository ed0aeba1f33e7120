import { expect, test } from 'vitest'
import { shiftHeadings } from '#web/items/lessons/article/article-levels.ts'

test('an H1 in an article is no second h1 of the page, and what is below it goes down with it', () => {
  expect(shiftHeadings('<h1>A</h1><p>a</p><h2>B</h2><h3>C</h3>', 2)).toBe(
    '<h2 data-level="1">A</h2><p>a</p><h3 data-level="2">B</h3><h4 data-level="3">C</h4>',
  )
})

test('below a lesson that stands below a course its headings go further down', () => {
  expect(shiftHeadings('<h1>A</h1><h2>B</h2>', 3)).toBe(
    '<h3 data-level="1">A</h3><h4 data-level="2">B</h4>',
  )
  expect(shiftHeadings('<h2>B</h2>', 3)).toBe('<h3 data-level="2">B</h3>')
})

test('no heading goes deeper than h6', () => {
  expect(shiftHeadings('<h1>A</h1><h5>E</h5><h6>F</h6>', 2)).toBe(
    '<h2 data-level="1">A</h2><h6 data-level="5">E</h6><h6 data-level="6">F</h6>',
  )
})

test('headings that begin low enough stay where they are', () => {
  expect(shiftHeadings('<h2>B</h2><h4>D</h4>', 2)).toBe(
    '<h2 data-level="2">B</h2><h4 data-level="4">D</h4>',
  )
  expect(shiftHeadings('<p>Only words</p>', 2)).toBe('<p>Only words</p>')
})

test('words about headings are no headings', () => {
  const html = '<p>&lt;h1&gt; is a tag</p><pre><code>&lt;h1&gt;</code></pre>'
  expect(shiftHeadings(html, 2)).toBe(html)
})
