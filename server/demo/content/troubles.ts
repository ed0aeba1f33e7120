/** Exceptional cases: a withheld reward, a deleted lesson, insults and problem reports. */
import type { DemoLesson, DemoProblem, DemoThrowAway } from './types.ts'

/** Copies the article of another lesson by the same author, and therefore gets no reward. */
export const withheld = {
  owner: 'elena',
  title: 'Commas, once more',
  of: 'The Oxford comma',
  description: 'The same rule, with the exercises printed larger.',
  publishedDaysAgo: 5,
}

/** Sold and then deleted by its author. Both buyers were refunded. */
export const takenBack: DemoLesson & { readonly deletedDaysAgo: number } = {
  owner: 'oak_and_ash',
  language: 'en',
  title: 'Prune a pear tree',
  description: 'Where to cut in late winter, and where never to.',
  video: 'https://www.youtube.com/watch?v=uA1dVcQ4bWk',
  tags: ['garden', 'trees'],
  article:
    '<h2>Before the first cut</h2><p>Walk around the tree twice with your hands in your pockets. A pear fruits on old spurs, so each of them that you leave is a bowl of fruit, and each that you take is a year of waiting. Cut on a dry day in late winter, when the buds are still tight and the wound has all of spring to close.</p><h2>What goes</h2><p>First what is dead, then what is ill, then what rubs against its neighbour. Only after that think about light: open the middle until a hat thrown through the crown would come out on the other side. Never take more than a quarter in one winter, and never leave a stub to hang a coat on.</p>',
  resource: null,
  picture: null,
  publishedDaysAgo: 48,
  views: 24,
  boughtBy: ['elena', 'vesi'],
  deletedDaysAgo: 27,
}

/** Accounts created for insults. Each unlocked one small lesson; the first one has been suspended. */
export const throwAways: DemoThrowAway[] = [
  {
    username: 'qwerty_77',
    email: 'q77@throwaway.example',
    joinedDaysAgo: 2.6,
    lesson: 'Save a split mayo',
    text: 'Only an idiot needs a video for this. You are pathetic, go and learn something first.',
    daysAgo: 0.4,
    suspended: { daysAgo: 0.05, reason: 'Insults in place of opinions, after a warning.' },
  },
  {
    username: 'никой22',
    email: 'nikoy@throwaway.example',
    joinedDaysAgo: 2.1,
    lesson: 'Кърпене на чорап',
    text: 'Ти си пълен некадърник, срам да те е да учиш хората! Боклук.',
    daysAgo: 0.3,
    suspended: null,
  },
]

/** Problem reports about the site. Null means a guest. */
export const problems: DemoProblem[] = [
  {
    by: 'vesi',
    email: 'vesi@smetki.example',
    topic: 'Blurred cover',
    text: 'I uploaded a wide photo as the cover of my budget lesson. On the phone its edges are soft. Is there a size that you like best?',
    daysAgo: 6,
    done: true,
  },
  {
    by: null,
    email: 'guest@reader.example',
    topic: 'Няма писмо от вас',
    text: 'Регистрирах се вчера, а писмото още не е дошло. Гледах и в нежеланите. Може ли да го пратите пак?',
    daysAgo: 0.6,
    done: false,
  },
]

/** A mail that could not be delivered, for the list of mails. */
export const undelivered = {
  address: 'old-box@closed.example',
  subject: 'A lesson that you unlocked was taken back',
  text: 'Prune a pear tree is gone, and 100 KB Points are yours again.',
  reason: '550 5.1.1 The mailbox does not exist',
  daysAgo: 26.9,
}
