/**
 * People and content for everything that a page can show: lessons, purchases, comments, mails, reports and
 * failures.
 */
import {
  CERTIFICATE_NAME,
  CHAT_MESSAGE,
  CHECK_ANSWER,
  COMMENT,
  DESCRIPTION,
  EXPLANATION,
  FLAG_TEXT,
  MAIL_TEXT,
  NOTE,
  OPENING,
  QUESTION,
  RATING_ANSWER,
  RATING_TEXT,
  REASON,
  SEARCH_LENGTH,
  TAG_LENGTH,
  TITLE,
  TOKEN_NAME,
  TOPIC,
  USERNAME,
  WEBHOOK_TEXT,
} from '#contract/limits.ts'
import { CAPTION_LINE } from '#contract/caption-limits.ts'
import { guardsOf, type Scene } from '#server/testing/guards.ts'
import type { PageAccess } from '#web/core/router/route-page.ts'
import { routeTable } from '#web/routes.ts'
import { givePoints, leaveANight } from '#e2e/database.ts'
import {
  call,
  drawPicture,
  publish,
  publishCourse,
  register,
  registerAdministrator,
  type Registered,
} from '#e2e/people.ts'
import type { Server } from '#e2e/server.ts'
import { upload } from '#e2e/crawl/upload.ts'
import type { LogEntry } from '#contract/moderation.ts'

/** Returns a text of at most the field's maximum length. `start` makes it unique. */
export type Word = (limit: { readonly max: number }, start?: string) => string

/** A single word of wide letters with the maximum length. */
export const wideWord: Word = ({ max }, start = '') => start.padEnd(max, 'WM')

/** Bulgarian sentences, so that any English sentence on a page comes from the product. */
export const bulgarianWords: Word = ({ max }, start = '') =>
  `${start} ${'солта отнема горчивото '.repeat(20)}`.slice(0, Math.min(max, 160)).trim()

const RESOURCE = `${'Presentation_for_the_whole_course_'.repeat(3)}v2.pptx`
const EMAIL_START = 'w'.repeat(60)

export const ROLES = [
  'guest',
  'newcomer',
  'learner',
  'author',
  'reader',
  'administrator',
  'suspended',
] as const
export type Role = (typeof ROLES)[number]

export interface Market {
  readonly people: Readonly<Record<Exclude<Role, 'guest'>, Registered>>
  readonly paths: Readonly<Record<Role, readonly string[]>>
  readonly lesson: number
}

const questions = (word: Word) => [
  {
    text: word(QUESTION),
    answers: [
      { text: word(CHECK_ANSWER, 'right'), right: true },
      { text: word(CHECK_ANSWER, 'wrong'), right: false },
    ],
    explanation: word(EXPLANATION),
  },
]

/** Fills every list, form and notice with something. */
export async function fillMarket(
  server: Server,
  word: Word,
  names: 'long' | 'short',
): Promise<Market> {
  const { url, dataDir } = server
  const named = (name: string) =>
    names === 'long'
      ? { username: wideWord(USERNAME, name), email: `${name}${EMAIL_START}@people.example` }
      : {}
  const cover = await drawPicture(640, 360)
  const author = await register(url, named('Author'), await drawPicture(64, 64))
  const reader = await register(url, named('Reader'))
  const administrator = await registerAdministrator(server, named('Admin'))
  const suspended = await register(url, named('Suspended'))
  const newcomer = await register(url)
  const learner = await register(url)
  for (let count = 0; count < 6; count += 1)
    await publish(url, learner, { title: word(TITLE, `Own${count}`) })
  const lessons: number[] = []
  for (const start of ['A', 'B', 'C', 'D', 'E', 'F']) {
    const draft = {
      title: word(TITLE, start),
      description: word(DESCRIPTION, start),
      tags: word({ max: TAG_LENGTH }, start),
      article: `<h2>${word({ max: 90 }, start)}</h2><p>${word({ max: 400 }, start)}</p><blockquote><p>${word({ max: 90 })}</p></blockquote><ul><li><p>${word({ max: 90 })}</p></li></ul><pre><code>${word({ max: 90 })}</code></pre>`,
      opening: word(OPENING, start),
      resources: await upload(url, author, `${start}${RESOURCE}`),
      checks: JSON.stringify(questions(word)),
    }
    lessons.push(await publish(url, author, draft, start < 'D' ? cover : undefined))
  }
  const [lesson = 0, other = 0] = lessons
  const course = await publishCourse(url, author, lessons, {
    title: word(TITLE, 'Course'),
    description: word(DESCRIPTION, 'Course'),
  })
  await publish(url, reader, { title: word(TITLE, 'Own') })
  await givePoints(dataDir, reader.id, 500)
  const as =
    (person: Registered) =>
    <Answer>(method: string, path: string, body?: object) =>
      call<Answer>(url, person, method, path, body)
  const [asReader, asAuthor, asAdministrator] = [as(reader), as(author), as(administrator)]
  await asReader('POST', `/course/buy/${course}`)
  await asReader('POST', `/lesson/like/${lesson}`)
  const comments = `/comment/create/${lesson}`
  const comment = await asReader<{ id: number }>('POST', comments, { text: word(COMMENT) })
  await asAuthor('POST', comments, { text: word(COMMENT, 'Answer'), replyTo: comment.id })
  const text = word(COMMENT, 'Deleted')
  const deleted = await asReader<{ id: number }>('POST', comments, { text })
  await asAdministrator('DELETE', `/comment/delete/${deleted.id}`)
  await asReader('POST', `/note/create/${lesson}`, { text: word(NOTE) })
  for (const id of lessons) {
    await asReader('PUT', `/progress/${id}`, { opened: true, done: true })
    await asReader('POST', `/check/${id}`, { answers: [[0]] })
  }
  const rated = { stars: 4, text: word(RATING_TEXT) }
  const rating = await asReader<{ id: number }>('PUT', `/rating/lesson/${lesson}`, rated)
  await asAuthor('PUT', `/rating/${rating.id}/answer`, { text: word(RATING_ANSWER) })
  for (const [from, to] of [
    [asReader, author],
    [asAuthor, reader],
  ] as const) {
    const message = { text: word(CHAT_MESSAGE), receiverUsername: to.username }
    await from('POST', '/message/create', message)
  }
  for (const [kind, id] of [
    ['lesson', lesson],
    ['comment', comment.id],
    ['profile', author.id],
  ])
    await asReader('POST', '/flag', { kind, id, text: word(FLAG_TEXT) })
  for (const kind of ['report', 'contact'])
    await asReader('POST', '/email/send', {
      kind,
      senderEmail: reader.email,
      topic: word(TOPIC),
      emailText: word(MAIL_TEXT),
      ...(kind === 'contact' && { lessonId: lesson }),
    })
  const captions = `00:00.000 --> 00:01.000\n${'w'.repeat(CAPTION_LINE)}`
  await asAuthor('PUT', `/caption/${lesson}/en`, { text: captions })
  await asReader('POST', `/caption/${lesson}/offer`, {
    language: 'en',
    text: `${captions}\n\n00:02.000 --> 00:03.000\nw`,
  })
  await asReader('PUT', `/follow/${author.id}`)
  const certificate = { name: word(CERTIFICATE_NAME) }
  const { code } = await asReader<{ code: string }>('POST', `/certificate/${course}`, certificate)
  const token = { name: word(TOKEN_NAME), scopes: ['read'], days: 7, password: reader.password }
  await asReader('POST', '/identity/tokens', token)
  await asAdministrator('POST', '/admin/webhooks', {
    url: `https://${'w'.repeat(60)}.example/${'w'.repeat(300)}`,
    description: word(WEBHOOK_TEXT),
    events: ['lesson.published'],
    enabled: false,
  })
  for (const act of ['suspend', 'sign-out'])
    await asAdministrator('POST', `/admin/${act}/${suspended.id}`, { reason: word(REASON) })
  const log = await asAdministrator<LogEntry[]>('GET', '/admin/log')
  const suspension = log.find(({ action }) => action === 'suspended')
  await leaveANight(dataDir)
  const term = encodeURIComponent(word({ max: SEARCH_LENGTH }))
  const title = encodeURIComponent(word(TITLE, 'A'))
  const tagged = encodeURIComponent(word({ max: TAG_LENGTH }, 'A').toLowerCase())
  const ids = {
    owner: author.id,
    user: newcomer.id,
    buyer: reader.id,
    administrator: administrator.id,
  }
  const scene: Scene = { lesson, course, ids }
  const items = [`/lesson/details/${lesson}`, `/course/details/${course}`]
  const lists = ['/lesson/all', '/course/all', `/search?q=${term}`, `/lesson/all?search=${term}`]
  const guards = guardsOf(routeTable)
  const rows = (wanted: PageAccess) =>
    routeTable
      .filter(([path, access]) => access === wanted && path !== '*')
      .map(([path]) => guards[path]?.address(scene) ?? path)
  const tag = `/tag/${tagged}`
  return {
    people: { newcomer, learner, author, reader, administrator, suspended },
    lesson,
    paths: {
      guest: [
        ...lists,
        `/search?q=${title}`,
        `/course/all?search=${term}`,
        `/search?q=${title}&tag=${tagged}`,
        tag,
        `/by/${author.username}`,
        `/tag/${'w'.repeat(TAG_LENGTH)}`,
        ...items,
        `/certificate/${code}`,
        ...rows('all'),
        ...rows('guest'),
        '/lesson/details/999999',
        '/course/details/999999',
        '/no/such/page',
        '/password/reset?token=none',
        '/email/confirm?token=none',
        '/email/undo?token=none',
        '/email/unsubscribe?token=none',
        '/login?refused=denied',
      ],
      // This person has no content and no points.
      newcomer: [
        ...rows('user').filter((path) => !/\/(?:edit|captions)\//.test(path)),
        items[0] ?? '',
        '/points?show=out',
      ],
      // This person has points and enough lessons for a course, and bought nothing.
      learner: [...items, '/course/create', `/chat?receiver=${author.username}`],
      author: [
        '/',
        ...items,
        `/lesson/edit/${lesson}`,
        `/lesson/captions/${lesson}`,
        `/course/edit/${course}`,
        '/lesson/yours',
        '/course/yours',
        '/author',
        '/author?days=365',
        `/author/lesson/${lesson}`,
        `/author/course/${course}`,
        `/profile/${author.id}`,
      ],
      reader: [
        '/',
        '/lesson/all',
        ...items,
        `/course/details/${course}/${other}`,
        `/lesson/captions/${lesson}`,
        '/lesson/bought',
        '/course/bought',
        '/liked',
        '/following',
        '/notes',
        `/notes?search=${term}`,
        '/points',
        '/certificate/yours',
        '/notifications',
        '/profile/tokens',
        '/chat',
        `/chat?receiver=${author.username}`,
        `/profile/${author.id}`,
        `/profile/${author.id}?show=comments`,
      ],
      administrator: [
        ...rows('administrator'),
        '/comment/all?deleted=on',
        '/admin/ratings?deleted=on',
        '/comment/all?label=TOXIC',
        '/admin/reports?closed=1',
        '/admin/mails?state=kept',
        items[0] ?? '',
        `/profile/${author.id}`,
      ],
      suspended: ['/', items[0] ?? '', '/lesson/create', `/appeal/act-${suspension?.id ?? 0}`],
    },
  }
}
