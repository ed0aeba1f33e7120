/** The column widths of moderation tables must not depend on which font loads first. */
import { LOCALES } from '#contract/messages/messages.ts'
import { routeTable } from '#web/routes.ts'
import { leaveANight } from './database.ts'
import { expect, once, test as base } from './fixtures.ts'
import { jumpsOf } from './jumps.ts'
import { call, grantAdministration, publish, register, signIn, type Registered } from './people.ts'
import { startServer, type Server } from './server.ts'

/** All moderation pages. */
const DESK = routeTable.filter(([, access]) => access === 'administrator').map(([path]) => path)

/** One line each. */
const COMMENTS = ['It held all winter', 'Задържа цяла зима', 'Thank you for this one']

const test = base.extend<{ moderator: Registered }, { server: Server }>({
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
})

async function fillDesk(server: Server): Promise<Registered> {
  const { url } = server
  const moderator = await register(url, { username: 'rosa' })
  await grantAdministration(server.dataDir, moderator)
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

for (const locale of LOCALES)
  test(`late fonts do not move moderation lists (${locale})`, async ({
    page,
    server,
    moderator,
  }) => {
    await signIn(page, server.url, moderator)
    // Wide enough for tables, which are cards on a phone.
    await page.setViewportSize({ width: 1440, height: 900 })
    expect(await jumpsOf(page, locale, DESK)).toEqual({})
  })
