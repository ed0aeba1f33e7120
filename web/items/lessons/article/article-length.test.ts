import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lengthOf } from '#contract/measure.ts'
import { articleText, cleanArticle } from '#server/items/lessons/article.ts'
import { articleLength, articleProblem } from '#web/items/lessons/article/article-length.ts'

const onServer = (html: string) => lengthOf(articleText(cleanArticle(html)))

const words = fc.string({
  unit: fc.constantFrom('a', 'ж', 'е\u0301', '😀', ' ', '&nbsp;', '&lt;', '&amp;', '\u00a0', '\n'),
})
const styled = fc
  .tuple(fc.constantFrom('strong', 'em', 'u', 'code'), words, words)
  .map(([tag, inside, after]) => `<${tag}>${inside}</${tag}>${after}`)
const block = fc
  .tuple(fc.constantFrom('p', 'h1', 'h6', 'blockquote', 'pre'), fc.array(styled, { maxLength: 3 }))
  .map(([tag, parts]) => `<${tag}>${parts.join('<br>')}</${tag}>`)
const list = fc
  .tuple(fc.constantFrom('ul', 'ol'), fc.array(styled, { maxLength: 3 }))
  .map(
    ([tag, items]) => `<${tag}>${items.map((item) => `<li><p>${item}</p></li>`).join('')}</${tag}>`,
  )

test('the counter counts what the server counts', () => {
  const article = fc.array(fc.oneof(block, list), { maxLength: 5 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(article, (html) => {
      expect(articleLength(html)).toBe(onServer(html))
    }),
  )
})

test('blocks part words and styles do not', () => {
  expect(articleLength('<p>ab</p><p>cd</p>')).toBe(5)
  expect(articleLength('<p>a<strong>b</strong>cd</p>')).toBe(4)
})

test('an indent of no-break spaces counts as one', () => {
  expect(articleLength('<p>a</p><p>&nbsp;&nbsp;&nbsp;&nbsp;b</p>')).toBe(3)
})

test('an article of signs alone is told to need letters', () => {
  expect(articleProblem(`<p>${'!'.repeat(60)}</p>`)).toBe('articleLettersMs?min=20')
  expect(articleProblem(`<p>${'\u3164'.repeat(60)}</p>`)).toBe('articleLettersMs?min=20')
  expect(articleProblem(`<p>${'!'.repeat(40)}${'дума '.repeat(5)}</p>`)).toBeNull()
})
