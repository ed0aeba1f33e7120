import type { DemoNote } from '#server/demo/content/types.ts'

export const notes: readonly DemoNote[] = [
  {
    by: 'elena',
    lesson: 'Шевица за начало',
    daysAgo: 9,
    second: 135,
    text: 'Конецът минава два пъти през първото кръстче, иначе се разплита.',
  },
  {
    by: 'elena',
    lesson: 'Шевица за начало',
    daysAgo: 9,
    text: 'Да купя: канава 14, червено и черно, тъпа игла № 24.',
  },
  {
    by: 'elena',
    lesson: 'Мартеница с пискюл',
    daysAgo: 3.2,
    second: 288,
    text: 'Пискюлът се връзва преди да се отреже, после се реши с гребен.',
  },
  {
    by: 'jonas.w',
    lesson: 'Sourdough, day one',
    daysAgo: 1.1,
    second: 395,
    text: 'Mine smelled of nails on day three. Normal, she says; keep feeding.',
  },
  {
    by: 'leila.h',
    lesson: 'SQL joins, drawn',
    daysAgo: 0.6,
    second: 74,
    text: 'Left join: everything from the left, and holes where the right has nothing.',
  },
]
