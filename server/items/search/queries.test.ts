/** 120 queries on the demo content, with expected first results and results that must be absent. */
import { expect, test } from 'vitest'
import type { SearchAnswer } from '#contract/search.ts'
import { fillDemo } from '#server/demo/fill.ts'
import { openTestApp } from '#server/testing/setup.ts'

interface Query {
  readonly q: string
  /** The expected titles for the first lesson or course; null if nothing matches. */
  readonly first: readonly string[] | null
  /** Titles that must not be found. */
  readonly without?: readonly string[]
  /** True if no item has the words as typed and the response suggests other spellings. */
  readonly close?: true
}

const KITCHEN = [
  'Sourdough, day one',
  'Pour-over coffee',
  'Ferment cabbage',
  'Sharpen any knife',
  'Rice that behaves',
  'Save a split mayo',
]
const КУХНЯ = ['Кисело мляко', 'Чай от билки', 'Баница без тайни', 'Дъга в кухнята']
const ФИЗИКА = [
  'Слънчев часовник',
  'Дъга в кухнята',
  'Махало от конец',
  'Защо стоят мостовете',
  'Приливи и отливи',
]
const READ = ['Read a payslip', 'Read the clouds']
const PAINT = ['Watercolour skies', 'Mix any green']

/** Queries that all expect the same first title. */
const singles = (first: string, ...queries: string[]): Query[] =>
  queries.map((q) => ({ q, first: [first] }))

const ENGLISH: readonly Query[] = [
  ...singles('Knots that hold', 'knot', 'knots', 'tie a knot', 'how to tie knots', 'grandfather'),
  ...singles('Draw what you see', 'draw', 'drawing', 'drawings', 'what do you see'),
  ...singles('SQL joins, drawn', 'drawn', 'sql', 'join', 'database', 'joining tables'),
  ...singles('Sourdough, day one', 'bake', 'baking', 'sourdough', 'the sourdough'),
  ...singles('Ferment cabbage', 'ferment', 'fermented', 'fermentation', 'cabbages', 'winter'),
  ...singles('Pour-over coffee', 'coffee', 'pour over', 'coffee filter'),
  ...singles('Sharpen any knife', 'knife', 'sharpening', 'sharp', 'steady angle'),
  ...singles('Save a split mayo', 'mayo', 'sauce', 'chemistry', 'emulsions'),
  ...singles('Bind your first book', 'book', 'books', 'bind a book', 'bookbinding', 'linen thread'),
  ...singles('Touch typing', 'typing', 'fingers', 'tea towel'),
  ...singles('Type on a grid', 'type', 'typography', 'grids'),
  ...singles('The Oxford comma', 'comma', 'oxford', 'grammar'),
  ...singles('Seeds to seedlings', 'seed', 'seedling', 'gardening'),
  ...singles('Fix a flat tyre', 'bicycles', 'flat tyre', 'repairs'),
  ...singles('Charts that answer', 'chart', 'answers'),
  ...singles('A tarp for the night', 'camping', 'tarps'),
  { q: 'paint', first: PAINT },
  { q: 'read', first: READ },
  { q: 'reading', first: READ },
  { q: 'programs', first: ['Git without fear', 'Regex by ear'] },
  { q: 'leila', first: KITCHEN },
  { q: 'kitchen', first: KITCHEN },
  { q: 'patient kitchen', first: ['The patient kitchen'] },
  { q: 'water', first: ['Water you can drink'], without: PAINT },
  { q: 'rice', first: ['Rice that behaves'], without: ['Read a payslip'] },
  { q: 'ear', first: ['Regex by ear'], without: ['Git without fear', ...READ] },
  { q: 'art', first: null },
  { q: 'car', first: null },
  { q: 'quokka', first: null },
  { q: 'ring', first: null },
  { q: 'commas', first: ['Commas, once more'] },
  { q: 'cofee', first: ['Pour-over coffee'], close: true },
  { q: 'watercolor', first: PAINT, close: true },
  { q: 'bread', first: READ, close: true },
]

const BULGARIAN: readonly Query[] = [
  ...singles('Мартеница с пискюл', 'възел', 'възли', 'мартеници', 'пискюли'),
  ...singles('Звезди без телескоп', 'звезда', 'звездите', 'телескопи', 'небето', 'на балкона'),
  ...singles('Слънчев часовник', 'часовник', 'часовници', 'часовникът'),
  ...singles('Раница за три дни', 'раница', 'раници', 'поход', 'походи'),
  ...singles('Неравноделни ритми', 'ритъм', 'ритми', 'ритмите', 'народни танци'),
  ...singles('Нотите с пръсти', 'нота', 'ноти', 'пръст', 'петолиние'),
  ...singles('Пълен и кратък член', 'член', 'правопис', 'членове', 'кратък член'),
  ...singles('Дъга в кухнята', 'дъга', 'дъгата', 'слънце', 'огледалце'),
  ...singles('Махало от конец', 'махало', 'махалото', 'хронометри'),
  ...singles('Защо стоят мостовете', 'мост', 'мостове', 'мостът', 'арки'),
  ...singles('Приливи и отливи', 'прилив', 'приливите', 'луна', 'море'),
  ...singles('Баница без тайни', 'баници', 'тайна', 'как се прави баница'),
  ...singles('Кисело мляко', 'мляко', 'млякото', 'кисело'),
  ...singles('Чай от билки', 'чай', 'билка', 'билките'),
  ...singles('Кърпене на чорап', 'чорап', 'чорапи', 'кърпене'),
  ...singles('Тетрадка с конец', 'тетрадка', 'тетрадки', 'хартия'),
  ...singles('Бюджет в три плика', 'бюджети', 'плик', 'пликове', 'парите'),
  ...singles('Шевица за начало', 'шевици', 'бродерии'),
  { q: 'карти', first: ['Карта и компас'], without: ['Слънчев часовник'] },
  { q: 'кухня', first: КУХНЯ },
  { q: 'физика', first: ФИЗИКА },
  { q: 'опит', first: ['Дъга в кухнята', 'Махало от конец'] },
  { q: 'конец', first: ['Махало от конец', 'Тетрадка с конец'] },
  { q: 'хляб', first: null },
  { q: 'ток', first: null },
  { q: 'телескпо', first: ['Звезди без телескоп'], close: true },
]

const app = await openTestApp()
await fillDemo({ ...app.app.core, passwordOf: () => 'secret of the demo', say: () => {} })
await app.runJobs()

/** Returns null if the response is right, or else a description of the error. */
async function judge({ q, first, without = [], close }: Query): Promise<string | null> {
  const { body } = await app.call<SearchAnswer>('GET', `/search?q=${encodeURIComponent(q)}`)
  const titles = [...body.lessons, ...body.courses].map(({ title }) => title)
  const tops = [body.lessons[0]?.title, body.courses[0]?.title].filter((top) => top !== undefined)
  const isFirst = first === null ? titles.length === 0 : first.some((title) => tops.includes(title))
  const isClose = body.spellings.length > 0 && titles.length > 0
  const friends = without.filter((title) => titles.includes(title))
  if (isFirst && friends.length === 0 && isClose === (close ?? false)) return null
  return `${q}: ${titles.join(' | ')}; close: ${body.spellings.join()}`
}

test('of 120 queries in both languages at least 95 % find what they mean', async () => {
  const queries = [...ENGLISH, ...BULGARIAN]
  expect(new Set(queries.map(({ q }) => q)).size).toBeGreaterThanOrEqual(120)
  const wrong = (await Promise.all(queries.map(judge))).filter((fault) => fault !== null)
  expect(wrong.length / queries.length, wrong.join('\n')).toBeLessThanOrEqual(0.05)
})
