/** Whatever people write, a phone shows it without scrolling sideways: here every text is one long, wide word. */
import type { UploadedResource } from '#contract/files.schemas.ts'
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
import { routeTable } from '#web/routes.ts'
import { expect, test, visit } from './fixtures.ts'
import { grantAdministration, publish, publishCourse, register, signIn } from './people.ts'
import type { Registered } from './people.ts'
import type { Server } from './server.ts'

/** One word of wide letters, as long as a field takes; the start makes it differ from others. */
const word = ({ max }: { readonly max: number }, start = '') => start.padEnd(max, 'WM')

const RESOURCE = `${'Presentation_for_the_whole_course_'.repeat(3)}v2.pptx`
const EMAIL_START = 'w'.repeat(60)

type Role = 'guest' | 'author' | 'reader' | 'administrator' | 'suspended'

interface Market {
  readonly people: Readonly<Record<Exclude<Role, 'guest'>, Registered>>
  readonly paths: Readonly<Record<Role, readonly string[]>>
}

async function call(
  url: string,
  person: Registered,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${person.accessToken}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
  return text === '' ? null : JSON.parse(text)
}

/** Uploads a file of that name; answers its address. */
async function upload(url: string, person: Registered, name: string): Promise<string> {
  const form = new FormData()
  form.set('file', new File(['what is in it'], name))
  const headers = { authorization: `Bearer ${person.accessToken}` }
  const response = await fetch(`${url}/api/upload/resource`, {
    method: 'POST',
    body: form,
    headers,
  })
  if (!response.ok) throw new Error(`uploading answered ${response.status}`)
  return ((await response.json()) as UploadedResource).url
}

const QUESTIONS = [
  {
    text: word(QUESTION),
    answers: [
      { text: word(CHECK_ANSWER, 'right'), right: true },
      { text: word(CHECK_ANSWER, 'wrong'), right: false },
    ],
    explanation: word(EXPLANATION),
  },
]

async function writeEverything({ url, dataDir }: Server): Promise<Market> {
  const named = (name: string) =>
    register(url, { username: word(USERNAME, name), email: `${name}${EMAIL_START}@people.example` })
  const author = await named('Author')
  const reader = await named('Reader')
  const administrator = await named('Admin')
  const suspended = await named('Suspended')
  await grantAdministration(dataDir, administrator)
  const lessons: number[] = []
  for (const start of ['A', 'B', 'C', 'D', 'E', 'F']) {
    const draft = {
      title: word(TITLE, start),
      description: word(DESCRIPTION, start),
      tags: word({ max: TAG_LENGTH }, start),
      article: `<h2>${word({ max: 90 }, start)}</h2><p>${word({ max: 400 }, start)}</p><blockquote><p>${word({ max: 90 })}</p></blockquote><ul><li><p>${word({ max: 90 })}</p></li></ul><pre><code>${word({ max: 90 })}</code></pre>`,
      opening: word(OPENING, start),
      resources: await upload(url, author, `${start}${RESOURCE}`),
      checks: JSON.stringify(QUESTIONS),
    }
    lessons.push(await publish(url, author, draft))
  }
  const [lesson = 0, other = 0] = lessons
  const course = await publishCourse(url, author, lessons, {
    title: word(TITLE, 'Course'),
    description: word(DESCRIPTION, 'Course'),
  })
  for (const start of ['A', 'B', 'C', 'D', 'E', 'F'])
    await publish(url, reader, { title: word(TITLE, `Own${start}`) })
  await call(url, reader, 'POST', `/course/buy/${course}`)
  await call(url, reader, 'POST', `/lesson/like/${lesson}`)
  const comment = (await call(url, reader, 'POST', `/comment/create/${lesson}`, {
    text: word(COMMENT),
  })) as { id: number }
  await call(url, author, 'POST', `/comment/create/${lesson}`, {
    text: word(COMMENT, 'Answer'),
    replyTo: comment.id,
  })
  await call(url, reader, 'POST', `/note/create/${lesson}`, { text: word(NOTE) })
  for (const id of lessons) {
    await call(url, reader, 'PUT', `/progress/${id}`, { opened: true, done: true })
    await call(url, reader, 'POST', `/check/${id}`, { answers: [[0]] })
  }
  const rating = (await call(url, reader, 'PUT', `/rating/lesson/${lesson}`, {
    stars: 4,
    text: word(RATING_TEXT),
  })) as { id: number }
  await call(url, author, 'PUT', `/rating/${rating.id}/answer`, { text: word(RATING_ANSWER) })
  for (const [from, to] of [
    [reader, author],
    [author, reader],
  ] as const)
    await call(url, from, 'POST', '/message/create', {
      text: word(CHAT_MESSAGE),
      receiverUsername: to.username,
    })
  for (const [kind, id] of [
    ['lesson', lesson],
    ['comment', comment.id],
    ['profile', author.id],
  ])
    await call(url, reader, 'POST', '/flag', { kind, id, text: word(FLAG_TEXT) })
  for (const kind of ['report', 'contact'])
    await call(url, reader, 'POST', '/email/send', {
      kind,
      senderEmail: reader.email,
      topic: word(TOPIC),
      emailText: word(MAIL_TEXT),
      ...(kind === 'contact' && { lessonId: lesson }),
    })
  await call(url, reader, 'PUT', `/follow/${author.id}`)
  const { code } = (await call(url, reader, 'POST', `/certificate/${course}`, {
    name: word(CERTIFICATE_NAME),
  })) as { code: string }
  await call(url, reader, 'POST', '/identity/tokens', {
    name: word(TOKEN_NAME),
    scopes: ['read'],
    days: 7,
    password: reader.password,
  })
  await call(url, administrator, 'POST', '/admin/webhooks', {
    url: `https://${'w'.repeat(60)}.example/${'w'.repeat(300)}`,
    description: word(WEBHOOK_TEXT),
    events: ['lesson.published'],
    enabled: false,
  })
  for (const act of ['suspend', 'sign-out'])
    await call(url, administrator, 'POST', `/admin/${act}/${suspended.id}`, {
      reason: word(REASON),
    })
  const term = word({ max: SEARCH_LENGTH })
  const items = [`/lesson/details/${lesson}`, `/course/details/${course}`]
  const lists = ['/lesson/all', '/course/all', `/search?q=${term}`, `/lesson/all?search=${term}`]
  const tag = `/tag/${word({ max: TAG_LENGTH }, 'A').toLowerCase()}`
  const profiles = [author, reader].map(({ id }) => `/profile/${id}`)
  return {
    people: { author, reader, administrator, suspended },
    paths: {
      guest: [
        '/',
        ...lists,
        `/search?q=${word(TITLE, 'A')}`,
        `/course/all?search=${term}`,
        `/search?q=${word(TITLE, 'A')}&tag=${word({ max: TAG_LENGTH }, 'A').toLowerCase()}`,
        tag,
        `/tag/${'w'.repeat(TAG_LENGTH)}`,
        ...items,
        `/certificate/${code}`,
      ],
      author: [
        '/',
        ...items,
        `/course/details/${course}/${other}`,
        `/lesson/edit/${lesson}`,
        `/course/edit/${course}`,
        '/lesson/yours',
        '/course/yours',
        '/notifications',
        '/points',
        `/chat?with=${reader.username}`,
        ...profiles,
      ],
      reader: [
        '/',
        '/lesson/all',
        ...items,
        `/course/details/${course}/${other}`,
        '/lesson/bought',
        '/course/bought',
        '/liked',
        '/following',
        '/notes',
        `/notes?search=${word({ max: SEARCH_LENGTH })}`,
        '/points',
        '/certificate/yours',
        '/notifications',
        '/profile/notifications',
        '/profile/update',
        '/profile/sessions',
        '/profile/tokens',
        '/user-center',
        '/chat',
        `/chat?with=${author.username}`,
        `/lesson/contact/${lesson}`,
        '/report',
        ...profiles,
        ...profiles.map((path) => `${path}?show=comments`),
      ],
      administrator: [
        ...routeTable.filter(([, access]) => access === 'administrator').map(([path]) => path),
        '/admin/reports?closed=1',
        '/admin/mails?state=kept',
        items[0] ?? '',
        ...profiles,
      ],
      suspended: ['/'],
    },
  }
}

/** What reaches beyond the window, the innermost of it. */
function beyond(): string[] {
  const { clientWidth, scrollWidth } = document.documentElement
  if (scrollWidth <= clientWidth) return []
  const isWide = (element: Element) => element.getBoundingClientRect().right > clientWidth + 0.5
  return [...document.querySelectorAll('#app *')]
    .filter((element) => isWide(element) && ![...element.children].some(isWide))
    .map((element) => `${element.tagName}.${element.className}`)
    .concat(`${scrollWidth}`)
}

test('no text of anybody makes a page wider than a phone', async ({ browser, server }) => {
  test.setTimeout(300_000)
  const { people, paths } = await writeEverything(server)
  const wrong: Record<string, string[]> = {}
  for (const role of ['guest', 'author', 'reader', 'administrator', 'suspended'] as const) {
    const context = await browser.newContext({ baseURL: server.url })
    const page = await context.newPage()
    if (role !== 'guest') await signIn(page, server.url, people[role])
    for (const path of paths[role]) {
      await page.setViewportSize({ width: 320, height: 700 })
      await visit(page, path)
      expect(new URL(page.url()).pathname).toBe(new URL(path, server.url).pathname)
      // What people open shows their texts too.
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true
      })
      for (const width of [320, 390]) {
        await page.setViewportSize({ width, height: 700 })
        const found = await page.evaluate(beyond)
        if (found.length > 0) wrong[`${role} ${path} at ${width}`] = found
      }
    }
    await context.close()
  }
  expect(wrong).toEqual({})
})
