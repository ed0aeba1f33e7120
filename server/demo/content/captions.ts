import type { DemoCaptions } from '#server/demo/content/types.ts'

export const captions: readonly DemoCaptions[] = [
  {
    lesson: 'Sourdough, day one',
    lines: [
      [2, 'Flour and water, the same weight of each.', 'Брашно и вода, по равно тегло.'],
      [9, 'Stir until no dry flour is left.', 'Бъркайте, докато не остане сухо брашно.'],
      [17, 'Now it waits a day in a warm corner.', 'Сега чака един ден на топло.'],
      [26, 'Bubbles mean that the starter is alive.', 'Мехурчетата значат, че квасът е жив.'],
      [
        38,
        'Throw half of it away and feed the rest.',
        'Изхвърлете половината и нахранете останалото.',
      ],
      [51, 'It smells sour, and that is good.', 'Мирише на кисело и така трябва.'],
    ],
  },
  {
    lesson: 'Pour-over coffee',
    lines: [
      [1, 'Rinse the paper filter with hot water.', 'Изплакнете хартиения филтър с гореща вода.'],
      [8, 'Fifteen grams of coffee, ground like sand.', 'Петнайсет грама кафе, смляно като пясък.'],
      [
        16,
        'First pour only thirty grams and wait.',
        'Първо сипете само трийсет грама и почакайте.',
      ],
      [47, 'Then pour slowly, in small circles.', 'После сипвайте бавно, в малки кръгове.'],
      [95, 'The whole cup takes three minutes.', 'Цялата чаша отнема три минути.'],
    ],
  },
  {
    lesson: 'Ferment cabbage',
    lines: [
      [3, 'Cut the cabbage as thin as you can.', 'Нарежете зелето колкото можете по-тънко.'],
      [14, 'Two percent of salt, by weight.', 'Два процента сол, по тегло.'],
      [
        25,
        'Knead it until it stands in its own brine.',
        'Мачкайте, докато се покрие със собствен сок.',
      ],
      [44, 'Press it under the liquid with a stone.', 'Притиснете го под течността с камък.'],
      [60, 'Taste it after a week.', 'Опитайте го след седмица.'],
    ],
  },
  {
    lesson: 'Sharpen any knife',
    lines: [
      [2, 'Soak the stone until no bubbles rise.', 'Накиснете камъка, докато спрат мехурчетата.'],
      [12, 'Hold the blade at the height of two coins.', 'Дръжте острието на височина две монети.'],
      [21, 'Draw it along the whole stone.', 'Плъзнете го по целия камък.'],
      [40, 'When you feel a burr, turn the knife over.', 'Щом усетите чеплък, обърнете ножа.'],
      [63, 'A tomato shows whether it is sharp.', 'Доматът показва дали е остър.'],
    ],
  },
  {
    lesson: 'Rice that behaves',
    lines: [
      [1, 'Wash the rice until the water is clear.', 'Мийте ориза, докато водата стане бистра.'],
      [10, 'One part rice, one and a quarter water.', 'Една част ориз, една и четвърт вода.'],
      [19, 'Lid on, lowest heat, twelve minutes.', 'С капак, на най-слаб огън, дванайсет минути.'],
      [
        33,
        'Do not look. Ten more minutes off the heat.',
        'Не поглеждайте. Още десет минути без огън.',
      ],
    ],
  },
  {
    lesson: 'Git without fear',
    lines: [
      [2, 'A commit is a snapshot, not a difference.', 'Комитът е снимка, а не разлика.'],
      [13, 'A branch is only a name that moves.', 'Клонът е само име, което се мести.'],
      [27, 'Nothing that you committed is lost soon.', 'Нищо записано не се губи скоро.'],
      [41, 'The reflog remembers where you have been.', 'Рефлогът помни къде сте били.'],
    ],
  },
  {
    lesson: 'Шевица за начало',
    lines: [
      [2, 'We begin in the middle of the cloth.', 'Започваме от средата на плата.'],
      [11, 'Each cross has two stitches.', 'Всяко кръстче има два бода.'],
      [20, 'The upper ones all lie in one direction.', 'Горните лягат все в една посока.'],
      [
        135,
        'The thread goes through the first cross twice.',
        'Конецът минава два пъти през първото кръстче.',
      ],
    ],
  },
  {
    lesson: 'Кисело мляко',
    lines: [
      [1, 'Heat the milk until it almost boils.', 'Загрейте млякото, докато почти заври.'],
      [12, 'Let it cool until a finger bears it.', 'Оставете го да изстине, докато пръстът търпи.'],
      [24, 'Stir in a spoon of yesterday’s yoghurt.', 'Разбъркайте лъжица от вчерашното мляко.'],
      [37, 'Wrap the jars and do not move them.', 'Увийте бурканите и не ги местете.'],
      [52, 'In the morning it is set.', 'На сутринта е хванало.'],
    ],
  },
  {
    lesson: 'Баница без тайни',
    lines: [
      [2, 'Stretch the dough until you see the table.', 'Точете корите, докато прозре масата.'],
      [15, 'Cheese, eggs and a spoon of soda water.', 'Сирене, яйца и лъжица газирана вода.'],
      [29, 'Roll it loosely, so that it can rise.', 'Навийте я хлабаво, за да бухне.'],
      [48, 'Bake it until it sounds hollow.', 'Печете, докато закънти на кухо.'],
    ],
  },
  {
    lesson: 'Мартеница с пискюл',
    lines: [
      [3, 'Red and white thread, an arm long.', 'Червен и бял конец, дълги една ръка.'],
      [
        14,
        'Twist both until they curl by themselves.',
        'Усуквайте ги, докато почнат сами да се навиват.',
      ],
      [30, 'Fold them in the middle and let go.', 'Прегънете ги през средата и пуснете.'],
      [288, 'Tie the tassel before you cut it.', 'Вържете пискюла, преди да го отрежете.'],
    ],
  },
]

/** By a buyer, for an author who has not decided yet. */
export const captionOffer = {
  by: 'jonas.w',
  lesson: 'Sourdough, day one',
  language: 'de',
  lines: [
    [2, 'Mehl und Wasser, von beidem gleich viel.'],
    [9, 'Rühren, bis kein trockenes Mehl mehr da ist.'],
    [17, 'Nun wartet es einen Tag in einer warmen Ecke.'],
  ],
} as const
