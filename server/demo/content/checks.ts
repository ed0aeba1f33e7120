import type { DemoAttempts, DemoCheck } from '#server/demo/content/types.ts'

/** `right` are the indices of the correct answers. */
const ask = (text: string, answers: readonly string[], right: number[], explanation: string) => ({
  text,
  answers: answers.map((answer, place) => ({ text: answer, right: right.includes(place) })),
  explanation,
})

export const checks: readonly DemoCheck[] = [
  {
    lesson: 'Sourdough, day one',
    questions: [
      ask(
        'Where does the yeast of a starter come from?',
        ['From a packet', 'From the flour', 'From the water', 'From yesterday’s bread'],
        [1],
        'Wild yeast and lactic bacteria live on the grain. You don’t add them, you make them comfortable.',
      ),
      ask(
        'What goes into the jar on the first day?',
        ['50 g of wholegrain rye', '50 g of water', 'A spoon of sugar', 'A pinch of salt'],
        [0, 1],
        'Rye and water at about 26 °C, and nothing else: sugar and salt only slow down those whom you want.',
      ),
      ask(
        'On day two it bubbles and smells of gym shoes. What is that?',
        ['A starter that is ready', 'The wrong bacteria', 'A dirty jar'],
        [1],
        'They are early and loud, and leave by themselves once it turns sour.',
      ),
      ask(
        'Day three looks dead. What do you do?',
        [
          'Throw it out and begin again',
          'Wait a week without touching it',
          'Keep 50 g and feed it',
        ],
        [2],
        'Nothing is dead. Keep 50 g, feed it 50 g of flour and 50 g of water, and wait.',
      ),
      ask(
        'How do you know that it is ready?',
        [
          'It doubles within six hours, two days in a row',
          'It has bubbles on top',
          'A week has passed',
        ],
        [0],
        'Bubbles come early and weeks differ. That it doubles twice in time is what lifts the bread.',
      ),
    ],
  },
  {
    lesson: 'Звезди без телескоп',
    questions: [
      ask(
        'Колко небе закрива свит юмрук на изпъната ръка?',
        ['Един градус', 'Десет градуса', 'Трийсет градуса'],
        [1],
        'Около десет градуса, и при деца: по-малката ръка държи по-малък юмрук.',
      ),
      ask(
        'Как се намира Полярната звезда?',
        [
          'Тя е най-ярката на небето',
          'По двете предни звезди на черпака, на пет техни разстояния',
          'Стои точно над главата',
        ],
        [1],
        'Двете звезди отпред на Голямата мечка сочат към нея. По яркост Полярната не се откроява.',
      ),
      ask(
        'На каква височина стои Полярната?',
        ['Колкото е географската ширина', 'Винаги на 45 градуса', 'Зависи от месеца'],
        [0],
        'Над София това са малко повече от четири юмрука, и то цяла година.',
      ),
      ask(
        'Кое помага да видите Андромеда?',
        [
          'Двайсет минути тъмнина',
          'Да гледате точно в нея',
          'Да гледате малко встрани от нея',
          'Пълна луна',
        ],
        [0, 2],
        'С крайчеца на окото се вижда по-слаба светлина, но само щом очите са свикнали с тъмното.',
      ),
      ask(
        'Кога е тръгнала светлината на Андромеда?',
        ['Преди осем минути', 'Преди две хиляди години', 'Преди два милиона и половина години'],
        [2],
        'По-далечно едва ли ще видите с просто око. Осем минути пътува светлината от Слънцето.',
      ),
    ],
  },
]

/** The correct answers to each question. */
const BREAD = [[1], [0, 1], [1], [2], [0]]
const STARS = [[1], [1], [0], [0, 2], [2]]
/** Replaces the choice at one question. */
const but = (answers: readonly number[][], place: number, ...chosen: number[]): number[][] =>
  answers.map((right, at) => (at === place ? chosen : right))

/** People's attempts and choices, in order. */
export const attempts: readonly DemoAttempts[] = [
  { by: 'mira.s', lesson: 'Sourdough, day one', daysAgo: 11, answers: [but(BREAD, 2, 0), BREAD] },
  { by: 'sam_ok', lesson: 'Sourdough, day one', daysAgo: 9, answers: [but(BREAD, 1, 0, 1, 3)] },
  { by: 'vesi', lesson: 'Sourdough, day one', daysAgo: 6, answers: [but(BREAD, 2, 0)] },
  { by: 'ивайло', lesson: 'Sourdough, day one', daysAgo: 2.5, answers: [but(BREAD, 4, 1), BREAD] },
  {
    by: 'jonas.w',
    lesson: 'Sourdough, day one',
    daysAgo: 1,
    answers: [but(but(BREAD, 2, 0), 4, 1)],
  },
  { by: 'teo', lesson: 'Звезди без телескоп', daysAgo: 10, answers: [but(STARS, 3, 0), STARS] },
  { by: 'sam_ok', lesson: 'Звезди без телескоп', daysAgo: 6, answers: [but(STARS, 1, 0), STARS] },
  { by: 'Рада', lesson: 'Звезди без телескоп', daysAgo: 4, answers: [but(STARS, 0, 0)] },
]
