/** Sample calls: one of each, and lists with their sort orders, filters and searches. */

export const PERSONS = ['guest', 'reader', 'author', 'crowd', 'administrator'] as const
/** `crowd` is a different person for each call. */
export type PersonName = (typeof PERSONS)[number]

export interface Sample {
  /** Method and path. `{n}` and `{other}` stand for items, `{person}` for a user id, `{uuid}` for a new one. */
  readonly call: string
  readonly as: PersonName
  /** JSON. */
  readonly body?: string
  /** Defaults to 200. */
  readonly status?: number
}

const gets = (as: PersonName, ...addresses: readonly string[]): Sample[] =>
  addresses.map((address) => ({ call: `GET ${address}`, as }))

/** All reads, and the writes that can be repeated. */
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
    '/api/admin/economy',
    '/api/admin/bugs',
    '/api/admin/mails',
    '/api/admin/counts',
    '/api/admin/log',
    '/api/admin/numbers',
    '/api/admin/people',
    '/api/admin/people?search=number',
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

const LESSON_AND_COURSE = [
  'sort=likes',
  'sort=comments',
  'likes=1',
  'likes=3&sort=likes',
  'comments=1',
  'likes=1&comments=1',
  'search=step',
  'search=guitar&sort=likes',
  'search=zzzz',
  'language=en',
  'language=bg&sort=likes',
  'language=other',
  'language=en&likes=1&sort=comments',
  'language=bg&search=step',
  'language=en&search=g',
]
const FREE = ['sort=views', 'sort=none', 'sort=likes&views=3', 'search=g', 'search=guitar']
const SEARCHES = [
  'q=guitar',
  'q=guitr',
  'q=guitar+step&free=1',
  'q=lerning&tag=learning',
  'q=g',
  'q=guitar&language=en',
  'q=step&language=other',
]
const DESK = [
  'label=NEUTRAL',
  'label=NONE',
  'language=en',
  'deleted=true',
  'search=person7',
  'search=xy',
  'search=number&label=NEUTRAL',
  'page=900',
]

const each = (address: string, queries: readonly string[]) =>
  queries.map((query) => `${address}?${query}`)

export const LIST_SAMPLES: readonly Sample[] = [
  ...gets(
    'guest',
    ...['lesson', 'course'].flatMap((kind) => each(`/api/${kind}/browse`, LESSON_AND_COURSE)),
    ...each('/api/lesson/browse', [
      'sort=views&views=3',
      ...FREE.map((query) => `free=1&${query}`),
    ]),
    ...each('/api/identity/allProfiles', ['page=2', 'search=person7']),
    '/api/home/tags',
    '/api/course/also/1',
    '/feeds/lessons.atom',
    '/feeds/courses.atom',
    '/feeds/tag/learning.atom',
    '/sitemap.xml',
    '/sitemap/lessons-1.xml',
    '/sitemap/courses-1.xml',
  ),
  ...gets(
    'reader',
    ...['lesson', 'course'].flatMap((kind) =>
      each(`/api/${kind}/all`, ['page=1&sort=likes', 'page=1&search=step', 'page=1&comments=1']),
    ),
    ...each('/api/search', SEARCHES),
    ...each('/api/tag/learning', ['page=1', 'page=2', 'page=900']),
    '/api/home/stall',
    '/api/follow/all',
    '/api/identity/points?page=2',
  ),
  ...gets(
    'administrator',
    ...each('/api/comment/browse', DESK),
    '/api/admin/log?page=2',
    '/api/admin/mails?state=failed',
    '/api/admin/flags?closed=true',
    '/api/admin/bugs?done=true',
  ),
]
