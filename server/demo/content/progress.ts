import type { DemoCertificate, DemoProgress } from '#server/demo/content/types.ts'

const DONE_BY_SAM = [
  'Слънчев часовник',
  'Махало от конец',
  'Дъга в кухнята',
  'Звезди без телескоп',
  'Защо стоят мостовете',
  'Приливи и отливи',
]

const DONE_BY_LEILA = [
  'Draw what you see',
  'A page every day',
  'Hands in five lines',
  'Mix any green',
  'Watercolour skies',
  'Linocut in an hour',
]

/** Viewers of a free lesson, and the second at which each of them stopped. */
const STOPPED = [
  ['petar-iliev', 655],
  ['mira.s', 655],
  ['oak_and_ash', 418],
  ['teo', 205],
  ['ana_k', 655],
  ['Рада', 214],
  ['vesi', 190],
] as const

/** Certificates of courses finished by then. */
export const certificates: readonly DemoCertificate[] = [
  { by: 'sam_ok', course: 'Физика навън', daysAgo: 4.8, name: 'Самуил Оков', listed: false },
  { by: 'leila.h', course: 'A year on paper', daysAgo: 7.2, name: 'Leila Haddad', listed: true },
]

/** Includes a half-finished course, two finished ones, and videos stopped midway. */
export const progress: readonly DemoProgress[] = [
  { by: 'jonas.w', lesson: 'Pour-over coffee', daysAgo: 6, done: true },
  { by: 'jonas.w', lesson: 'Rice that behaves', daysAgo: 5.1, done: true },
  { by: 'jonas.w', lesson: 'Sharpen any knife', daysAgo: 2.2, done: true },
  { by: 'jonas.w', lesson: 'Sourdough, day one', daysAgo: 1.1, seconds: 412, length: 1188 },
  { by: 'elena', lesson: 'Шевица за начало', daysAgo: 9, done: true },
  { by: 'elena', lesson: 'Кърпене на чорап', daysAgo: 8.4, done: true },
  { by: 'elena', lesson: 'Мартеница с пискюл', daysAgo: 3.2, seconds: 305, length: 912 },
  { by: 'ивайло', lesson: 'Tidy a spreadsheet', daysAgo: 4.3, done: true },
  { by: 'ивайло', lesson: 'Sourdough, day one', daysAgo: 2.6, seconds: 760, length: 1188 },
  { by: 'leila.h', lesson: 'SQL joins, drawn', daysAgo: 0.6, seconds: 95, length: 840 },
  ...STOPPED.map(([by, seconds], place) => ({
    by,
    lesson: 'Rice that behaves',
    daysAgo: 20 - 2 * place,
    seconds,
    length: 660,
  })),
  ...DONE_BY_LEILA.map((lesson, place) => ({
    by: 'leila.h',
    lesson,
    daysAgo: 12 - 0.8 * place,
    done: true,
  })),
  ...DONE_BY_SAM.map((lesson, place) => ({
    by: 'sam_ok',
    lesson,
    daysAgo: 8 - 0.6 * place,
    done: true,
  })),
]
