/** An example of each call, and of the pages. */

export const PERSONS = ['guest', 'reader', 'author', 'crowd', 'administrator'] as const
/** Who calls; `crowd` is another person for each call. */
export type PersonName = (typeof PERSONS)[number]

export interface Sample {
  /** Method and address, with the stand-ins of call.ts. */
  readonly call: string
  readonly as: PersonName
  /** JSON. */
  readonly body?: string
  /** 200 unless given. */
  readonly status?: number
}

const gets = (as: PersonName, ...addresses: readonly string[]): Sample[] =>
  addresses.map((address) => ({ call: `GET ${address}`, as }))

/** Of reads each; of writes those that can be repeated as they are. */
export const SAMPLES: readonly Sample[] = [
  ...gets(
    'guest',
    '/api/home',
    '/api/lesson/all?page=7',
    '/api/lesson/browse?page=7',
    '/api/lesson/browse?search=guitar',
    '/api/lesson/browse?search=g',
    '/api/lesson/browse?views=2&likes=1',
    '/api/lesson/popular',
    '/api/lesson/newest',
    '/api/lesson/{other}',
    '/api/course/all?page=7',
    '/api/course/browse?page=7',
    '/api/course/highest',
    '/api/course/{n}',
    '/api/search/suggest?q=gui',
    '/api/search?q=guitr',
    '/api/identity/userinformation/{person}',
    '/api/identity/allProfiles',
    '/lesson/all?page=7',
    '/lesson/details/{other}',
    '/course/details/{n}',
    '/login',
  ),
  ...gets(
    'reader',
    '/api/lesson/browse?page=7',
    '/api/lesson/{n}',
    '/api/lesson/bought?page=2',
    '/api/lesson/bought?sort=opened',
    '/api/lesson/recommended?lesson={n}',
    '/api/lesson/recommended',
    '/api/comment/lesson/{n}',
    '/api/rating/lesson/{n}',
    '/api/rating/course/{n}',
    '/api/course/{n}',
    '/api/course/bought',
    '/api/liked',
    '/api/identity/profile/{person}',
    '/api/identity/named/author7',
    '/api/identity/points',
    '/api/message/contacts',
    '/api/message/unread',
    '/api/message/all/author7',
    '/api/identity/allContacts',
    '/api/identity/block/{person}',
    '/lesson/details/{n}',
    '/course/details/{n}',
    '/profile/{person}',
    '/lesson/all?page=7',
    '/points',
  ),
  ...gets(
    'author',
    '/api/lesson/yours',
    '/api/course/yours',
    '/api/course/choices',
    '/api/identity/export',
  ),
  ...gets(
    'administrator',
    '/api/comment/all?page=2',
    '/api/comment/browse?page=2',
    '/api/comment/browse?search=number',
    '/api/admin/flags',
    '/api/admin/jobs',
    '/api/admin/audit',
    '/api/admin/bugs',
    '/api/admin/mails',
    '/api/admin/counts',
    '/api/admin/log',
    '/api/lesson/removal/{n}',
    '/api/course/removal/{n}',
  ),
  {
    call: 'POST /api/comment/create/{n}',
    as: 'crowd',
    body: '{"text":"What I have to say about it."}',
  },
  { call: 'POST /api/lesson/buy/{other}', as: 'crowd' },
  { call: 'POST /api/course/buy/{n}', as: 'crowd' },
  { call: 'POST /api/lesson/like/{other}', as: 'crowd' },
  { call: 'POST /api/course/like/{n}', as: 'crowd' },
  {
    call: 'PUT /api/progress/{n}',
    as: 'reader',
    status: 204,
    body: '{"seconds":380,"length":1200}',
  },
  {
    call: 'POST /api/note/create/{n}',
    as: 'reader',
    body: '{"text":"What I want to find again","second":135}',
  },
  {
    call: 'POST /api/message/create',
    as: 'crowd',
    body: '{"receiverUsername":"author7","draftId":"{uuid}","text":"Good morning to you."}',
  },
]
