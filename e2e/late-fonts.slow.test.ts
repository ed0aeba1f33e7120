/** Late fonts must only change the letters and not move anything. */
import { LOCALES } from '#contract/messages/messages.ts'
import { routeTable } from '#web/routes.ts'
import { leaveANight } from './database.ts'
import { expect, once, test as base } from './fixtures.ts'
import {
  call,
  publish,
  publishShelf,
  register,
  registerAdministrator,
  type Registered,
  signIn,
} from './people.ts'
import { startServer, type Server } from './server.ts'
import { shiftsOfLateFonts } from './shifts.ts'

/** The ten tags of a course. They fill two or three rows depending on the width of the letters. */
const TAGS = [
  'физика,астрономия',
  'направи-сам,измерване',
  'опити,светлина',
  'небе,есен',
  'мостове,строителство',
  'физика',
]

/** All moderation pages that need no id. */
const DESK = routeTable
  .filter(([path, access]) => access === 'administrator' && !path.includes(':'))
  .map(([path]) => path)

/** One line each. */
const COMMENTS = ['It held all winter', 'Задържа цяла зима', 'Thank you for this one']

const test = base.extend<{ moderator: Registered; course: number }, { server: Server }>({
  // A separate server, so that only the content created here is measured.
  server: [
    async ({}, use) => {
      const server = await startServer()
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
  moderator: once(fillDesk),
  course: once(async ({ url }) => {
    const lesson = (place: number) => ({ tags: TAGS[place - 1] ?? '' })
    return (await publishShelf(url, 'Letter', { lesson, preview: 1 })).course
  }),
})

async function fillDesk(server: Server): Promise<Registered> {
  const { url } = server
  const moderator = await registerAdministrator(server, { username: 'rosa' })
  const reader = await register(url, { username: 'Яна' })
  await publish(url, reader, { title: 'Reef knot' })
  const lesson = await publish(url, moderator, { title: 'Sheet bend' })
  await call(url, reader, 'POST', `/lesson/buy/${lesson}`, {})
  for (const text of COMMENTS) {
    const { id } = await call<{ id: number }>(url, reader, 'POST', `/comment/create/${lesson}`, {
      text,
    })
    await call(url, moderator, 'POST', '/flag', {
      kind: 'comment',
      id,
      text: 'Rude words',
    })
  }
  await call(url, reader, 'PUT', `/progress/${lesson}`, { opened: true })
  await call(url, reader, 'PUT', `/rating/lesson/${lesson}`, {
    stars: 2,
    text: 'Малко примери има в него.',
  })
  await call(url, reader, 'POST', '/email/send', {
    kind: 'report',
    senderEmail: 'yana@people.example',
    topic: 'Silent button',
    emailText: 'I press it and nothing happens.',
  })
  await call(url, moderator, 'POST', `/admin/suspend/${reader.id}`, { reason: 'Rude words' })
  await leaveANight(server.dataDir)
  return moderator
}

for (const locale of LOCALES) {
  test(`late fonts do not move moderation lists (${locale})`, async ({
    page,
    server,
    moderator,
  }) => {
    await signIn(page, server.url, moderator)
    // Wide enough for tables, which are cards on a phone.
    await page.setViewportSize({ width: 1440, height: 900 })
    expect(await shiftsOfLateFonts(page, locale, DESK)).toEqual({})
  })

  for (const width of [390, 1440])
    test(`late fonts do not move lists and forms (${locale}, ${width} wide)`, async ({
      page,
      course,
    }) => {
      await page.setViewportSize({ width, height: 900 })
      const shifts = await shiftsOfLateFonts(page, locale, [
        '/lesson/all',
        '/lesson/all?free=1',
        '/course/all',
        `/course/details/${course}`,
        '/search?q=nothing-such',
        '/login',
        '/register',
        '/email/confirm',
      ])
      expect(shifts).toEqual({})
    })
}
