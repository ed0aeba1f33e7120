/** Reading lists, as a part of what people do while statements are gathered (plan-story.ts). */
import type { Stage } from './plan-stage.ts'

/** Whom the lists are read as, by number. */
interface Readers {
  readonly author: number
  readonly buyer: number
  readonly administrator: number
}

/** Lists by every order and filter, and the desk by each of its own. */
export async function readLists(
  { tell, idOf }: Stage,
  { author, buyer, administrator }: Readers,
): Promise<void> {
  await tell(null, 'GET /api/lesson/browse?sort=views&views=3')
  for (const query of [
    'sort=views',
    'sort=none',
    'sort=likes&views=3',
    'search=g',
    'search=guitar',
  ])
    await tell(null, `GET /api/lesson/browse?free=1&${query}`)
  await tell(null, 'GET /api/lesson/all?free=1')
  await readLanguages(tell)
  await readFeeds(tell, [idOf(author), idOf(buyer)])
  for (const query of [
    'q=guitar',
    'q=guitr',
    'q=guitar+step&free=1',
    'q=lerning&tag=learning',
    'q=g',
    'q=guitar&language=en',
    'q=lerning&language=bg',
    'q=step&language=other',
  ])
    await tell(buyer, `GET /api/search?${query}`)
  await tell(null, 'GET /api/home/tags')
  await tell(null, 'GET /api/course/also/1')
  for (const person of [buyer, author, administrator]) await tell(person, 'GET /api/home/stall')
  for (const query of ['', '?page=2', '?page=900'])
    await tell(buyer, `GET /api/tag/learning${query}`)
  for (const kind of ['lesson', 'course']) {
    for (const query of [
      'sort=likes',
      'sort=comments',
      'likes=1',
      'likes=3&sort=likes',
      'comments=1',
      'likes=1&comments=1',
      'search=step',
      'search=guitar&sort=likes',
      'search=g&likes=1',
      'search=zzzz',
    ]) {
      await tell(null, `GET /api/${kind}/browse?${query}`)
      await tell(buyer, `GET /api/${kind}/all?page=1&${query}`)
    }
    await tell(null, `GET /api/${kind}/all?search=number`)
    await tell(buyer, `GET /api/${kind}/all`)
  }
  await readDesk(tell, administrator)
  await tell(null, 'GET /api/identity/allProfiles?page=2')
  await tell(null, 'GET /api/identity/allProfiles?search=person7')
  await tell(null, 'GET /api/identity/allProfiles?search=p')
  for (const person of [buyer, author, administrator]) {
    await tell(person, `GET /api/identity/profile/${idOf(buyer)}?lessons=2&courses=2&comments=2`)
    await tell(person, 'GET /api/identity/points?page=2')
    await tell(person, 'GET /api/identity/export')
  }
  for (const file of ['.xml', '/lessons-1.xml', '/courses-1.xml'])
    await tell(null, `GET /sitemap${file}`)
}

/** What stands in the lists of the desk. */
async function readDesk(
  tell: Stage['tell'],
  administrator: Readers['administrator'],
): Promise<void> {
  for (const query of [
    'label=NEUTRAL',
    'label=NONE',
    'language=en',
    'deleted=true',
    'search=person7',
    'search=xy',
    'search=number&label=NEUTRAL',
    'search=number&language=en',
    'page=900',
  ])
    await tell(administrator, `GET /api/comment/browse?${query}`)
  await tell(administrator, 'GET /api/comment/all')
  await tell(administrator, 'GET /api/admin/log?page=2')
  await tell(administrator, 'GET /api/admin/mails?state=failed')
  await tell(administrator, 'GET /api/admin/flags?closed=true')
  await tell(administrator, 'GET /api/admin/bugs?done=true')
}

/** The feeds of everything, of a tag and of these people. */
async function readFeeds(tell: Stage['tell'], people: readonly string[]): Promise<void> {
  for (const file of ['lessons', 'courses', 'tag/learning', ...people.map((id) => `author/${id}`)])
    await tell(null, `GET /feeds/${file}.atom`)
}

/** What is in a language, with what else narrows a list. */
async function readLanguages(tell: Stage['tell']): Promise<void> {
  await tell(null, 'GET /api/lesson/browse?free=1&sort=views&language=bg')
  for (const kind of ['lesson', 'course']) {
    for (const query of [
      'language=en',
      'language=bg&sort=likes',
      'language=other',
      'language=en&likes=1&sort=comments',
      'language=bg&search=step',
      'language=en&search=g',
    ])
      await tell(null, `GET /api/${kind}/browse?${query}`)
    await tell(null, `GET /api/${kind}/all?language=bg`)
  }
}
