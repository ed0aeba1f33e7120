import type { DemoPerson } from './types.ts'

export const people: DemoPerson[] = [
  {
    username: 'petar-iliev',
    email: 'petar@tipografia.example',
    picture: 'petar.webp',
    joinedDaysAgo: 410,
  },
  {
    username: 'leila.h',
    email: 'leila@kitchen-notes.example',
    picture: 'leila.webp',
    joinedDaysAgo: 402,
  },
  { username: 'mira.s', email: 'mira@atelier-s.example', picture: 'mira.webp', joinedDaysAgo: 395 },
  { username: 'Рада', email: 'rada@chitalishte.example', picture: 'rada.webp', joinedDaysAgo: 380 },
  { username: 'jonas.w', email: 'jonas@plain-data.example', picture: null, joinedDaysAgo: 350 },
  { username: 'ивайло', email: 'ivaylo@fizika.example', picture: null, joinedDaysAgo: 310 },
  { username: 'sam_ok', email: 'sam@outdoors.example', picture: null, joinedDaysAgo: 290 },
  { username: 'ana_k', email: 'ana@muzika.example', picture: null, joinedDaysAgo: 220 },
  { username: 'teo', email: 'teo@planina.example', picture: null, joinedDaysAgo: 205 },
  { username: 'elena', email: 'elena@korektor.example', picture: null, joinedDaysAgo: 160 },
  { username: 'oak_and_ash', email: 'hello@oak-and-ash.example', picture: null, joinedDaysAgo: 61 },
  { username: 'vesi', email: 'vesi@smetki.example', picture: null, joinedDaysAgo: 34 },
]
