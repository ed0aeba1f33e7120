import type { DemoRating } from '#server/demo/content/types.ts'

/** What people thought of what they had unlocked, and what authors said to it. */
export const ratings: readonly DemoRating[] = [
  { by: 'mira.s', kind: 'lesson', of: 'Sourdough, day one', daysAgo: 290, stars: 5 },
  {
    by: 'sam_ok',
    kind: 'lesson',
    of: 'Sourdough, day one',
    daysAgo: 138,
    stars: 4,
    text: 'Clear to the last step. I would have liked a word on plain flour, which is all I get.',
    answer: {
      daysLater: 1.5,
      text: 'You are right, and it is in the article now: slower, but it works.',
    },
  },
  {
    by: 'jonas.w',
    kind: 'lesson',
    of: 'Sourdough, day one',
    daysAgo: 1,
    stars: 5,
    text: 'The rubber band around the jar taught me more than two books did.',
  },
  {
    by: 'ивайло',
    kind: 'lesson',
    of: 'Sourdough, day one',
    daysAgo: 2.5,
    stars: 4,
    text: 'Най-после знам защо миришеше на лак. Снимките на третия ден помогнаха.',
  },
  {
    by: 'mira.s',
    kind: 'lesson',
    of: 'Шевица за начало',
    daysAgo: 150,
    stars: 5,
    text: 'Slow, kind and exact. I turned my work over and was not ashamed.',
  },
  { by: 'ana_k', kind: 'lesson', of: 'Шевица за начало', daysAgo: 60, stars: 5 },
  {
    by: 'elena',
    kind: 'lesson',
    of: 'Шевица за начало',
    daysAgo: 8.8,
    stars: 5,
    text: 'Обърнах плата и за пръв път опакото не ме засрами. Броенето на глас върши работа.',
    answer: {
      daysLater: 0.4,
      text: 'Значи и баба Ви щеше да замълчи доволно. Пратете снимка на ромба!',
    },
  },
  {
    by: 'petar-iliev',
    kind: 'lesson',
    of: 'Шевица за начало',
    daysAgo: 6,
    stars: 3,
    text: 'Хубав урок, но видеото е тъмно точно там, където се затваря редът.',
  },
  {
    by: 'leila.h',
    kind: 'course',
    of: 'A year on paper',
    daysAgo: 7,
    stars: 5,
    text: 'Six evenings, six pages, and I still draw every day. What more can one ask?',
  },
  {
    by: 'sam_ok',
    kind: 'course',
    of: 'Физика навън',
    daysAgo: 4.6,
    stars: 5,
    text: 'Learned the words for tides in a language I hardly speak. That good.',
  },
]
