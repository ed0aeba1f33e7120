/**
 * Every regular expression of the product must run in linear time. Its structure is analysed (scslre), so that the
 * test doesn't depend on timing. Exceptions are listed with the bound on their input.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { RegExpParser } from '@eslint-community/regexpp'
import { analyse } from 'scslre'
import { expect, test } from 'vitest'

const OPERATOR = 'reads settings, words and outputs of whoever runs it'
const ARTICLE = 'reads cleaned articles, in which < begins a tag that has an end'
const COMMENT = 'reads a comment of 200 characters; a test measures 64 kB'

/** What limits the input of expressions with quadratic time. */
const BOUNDED: Readonly<Record<string, string>> = {
  'server/operate/backup/addresses.ts': OPERATOR,
  'server/kernel/setting-kinds.ts': OPERATOR,
  'server/kernel/traces/collector.ts': OPERATOR,
  'server/platform/db/embedded/failure.ts': OPERATOR,
  'server/platform/db/embedded/process.ts': OPERATOR,
  'server/operate/doctor/links.ts': OPERATOR,
  'server/platform/mail/transport.ts': 'reads a line of the mail server',
  'server/people/opinion/remote.ts': 'reads an answer that is cut off, and a setting',
  'packages/opinion/src/reading.ts': COMMENT,
  'packages/opinion/src/split.ts': COMMENT,
  'server/items/lessons/article.ts': ARTICLE,
  'server/items/lessons/video/offers.ts': 'reads the 20 characters that a title may have',
  'server/items/lessons/details/inside.ts': ARTICLE,
  'web/items/lessons/article/ArticleView.tsx': ARTICLE,
  'web/items/lessons/article/article-length.ts': ARTICLE,
  'contract/lesson-forms.ts': 'reads a link of RESOURCE_LINK_LENGTH signs',
}

/** A regular expression can begin after these characters and words, which don't end a value. */
const LITERAL =
  /(?:[=(,:?[!&|{;>]|return|\n)\s*\/((?:[^/\\\n[*]|\\.|\[(?:[^\]\\\n]|\\.)*\])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])*)\/([dgimsuvy]*)(?=\s*[.,;)\]}:?\n&|])/g
const NO_PRODUCT = /\.test\.tsx?$|\/testing\/|\/training\/|\.gen\.ts$/

interface Found {
  readonly file: string
  readonly expression: string
}

function findExpressions(): Found[] {
  const files = ['server', 'contract', 'web', 'packages/opinion/src'].flatMap((room) =>
    readdirSync(room, { recursive: true, encoding: 'utf8' })
      .map((path) => `${room}/${path}`)
      .filter((path) => /\.tsx?$/.test(path) && !NO_PRODUCT.test(path)),
  )
  return files.flatMap((file) => {
    const text = readFileSync(file, 'utf8')
      .replaceAll(/\/\*[^]*?\*\//g, '')
      .replaceAll(/^\s*\/\/.*$/gm, '')
    return [...text.matchAll(LITERAL)]
      .map(([, source = '', flags = '']) => ({ file, expression: `/${source}/${flags}` }))
      .filter(({ expression }) => isExpression(expression))
  })
}

function parse(expression: string) {
  return new RegExpParser().parseLiteral(expression)
}

/** Two divisions on a line look like a regular expression. */
function isExpression(expression: string): boolean {
  try {
    parse(expression)
    return true
  } catch {
    return false
  }
}

const isLinear = (expression: string): boolean => {
  const literal = parse(expression)
  return analyse({ pattern: literal.pattern, flags: literal.flags }).reports.length === 0
}

test('expressions that are not linear are detected', () => {
  for (const expression of [/^(a+)+$/, /^0+(?=\d+$)/, /x\s*(?:;q)?\s*$/, /\s+$/])
    expect([String(expression), isLinear(String(expression))]).toEqual([String(expression), false])
  for (const expression of [/^a+$/, /^\d{1,16}$/, /^[^,]*,/])
    expect([String(expression), isLinear(String(expression))]).toEqual([String(expression), true])
})

test('every expression of the product is linear, or its text has a bound', () => {
  const found = findExpressions()
  expect(found.length).toBeGreaterThan(300)
  const slow = found.filter(({ expression }) => !isLinear(expression))
  expect(slow.filter(({ file }) => BOUNDED[file] === undefined)).toEqual([])
  // Remove exceptions that are no longer necessary.
  const excused = new Set(slow.map(({ file }) => file))
  expect(Object.keys(BOUNDED).filter((file) => !excused.has(file))).toEqual([])
})
