/** What the walk for plans.test.ts asks for besides call-samples.ts: lists by their orders, filters and searches. */

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
  queries.map((query) => `GET ${address}?${query}`)

/** Read by guests. */
export const GUEST_CALLS: readonly string[] = [
  ...['lesson', 'course'].flatMap((kind) => each(`/api/${kind}/browse`, LESSON_AND_COURSE)),
  ...each('/api/lesson/browse', ['sort=views&views=3', ...FREE.map((query) => `free=1&${query}`)]),
  ...each('/api/identity/allProfiles', ['page=2', 'search=person7']),
  'GET /api/home/tags',
  'GET /api/course/also/1',
  'GET /feeds/lessons.atom',
  'GET /feeds/courses.atom',
  'GET /feeds/tag/learning.atom',
  'GET /sitemap.xml',
  'GET /sitemap/lessons-1.xml',
  'GET /sitemap/courses-1.xml',
]

/** Read by somebody who is signed in. */
export const READER_CALLS: readonly string[] = [
  ...['lesson', 'course'].flatMap((kind) =>
    each(`/api/${kind}/all`, ['page=1&sort=likes', 'page=1&search=step', 'page=1&comments=1']),
  ),
  ...each('/api/search', SEARCHES),
  ...each('/api/tag/learning', ['page=1', 'page=2', 'page=900']),
  'GET /api/home/stall',
  'GET /api/follow/all',
  'GET /api/identity/points?page=2',
]

/** Read by an administrator. */
export const DESK_CALLS: readonly string[] = [
  ...each('/api/comment/browse', DESK),
  'GET /api/admin/log?page=2',
  'GET /api/admin/mails?state=failed',
  'GET /api/admin/flags?closed=true',
  'GET /api/admin/bugs?done=true',
]
