import type { DemoPerson } from './types.ts'

export const people: DemoPerson[] = [
  {
    username: 'petar-iliev',
    email: 'petar@tipografia.example',
    picture: 'petar.webp',
    joinedDaysAgo: 410,
    about: 'Словослагател. Пиша за букви, разредки и за хората, които ги забелязват.',
  },
  {
    username: 'leila.h',
    email: 'leila@kitchen-notes.example',
    picture: 'leila.webp',
    joinedDaysAgo: 402,
    about:
      'I cook for a living and write down why things work, so that you can stop following recipes.',
  },
  { username: 'mira.s', email: 'mira@atelier-s.example', picture: 'mira.webp', joinedDaysAgo: 395 },
  { username: 'Рада', email: 'rada@chitalishte.example', picture: 'rada.webp', joinedDaysAgo: 380 },
  { username: 'jonas.w', email: 'jonas@plain-data.example', picture: null, joinedDaysAgo: 350 },
  {
    username: 'ивайло',
    email: 'ivaylo@fizika.example',
    picture: null,
    joinedDaysAgo: 310,
    about: 'Учител по физика. Показвам опити с каквото има в кухнята.',
  },
  { username: 'sam_ok', email: 'sam@outdoors.example', picture: null, joinedDaysAgo: 290 },
  { username: 'ana_k', email: 'ana@muzika.example', picture: null, joinedDaysAgo: 220 },
  { username: 'teo', email: 'teo@planina.example', picture: null, joinedDaysAgo: 205 },
  {
    username: 'elena',
    email: 'elena@korektor.example',
    picture: null,
    joinedDaysAgo: 160,
    about: 'Proofreader in two languages. I collect commas.',
  },
  { username: 'oak_and_ash', email: 'hello@oak-and-ash.example', picture: null, joinedDaysAgo: 61 },
  { username: 'vesi', email: 'vesi@smetki.example', picture: null, joinedDaysAgo: 34 },
]
