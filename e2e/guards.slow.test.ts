/** Client-side navigation to each page must end where the server would have redirected. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { COURSE_LESSONS } from '#contract/limits.ts'
import { endOf, guardsOf, ROLES, type Role, type Scene } from '#server/testing/guards.ts'
import { routeTable } from '#web/routes.ts'
import { expect, test as base, visit } from './fixtures.ts'
import { publish, publishCourse, register, type Registered } from './people.ts'
import { startServer } from './server.ts'

const SECRET = 'onlyforthosewhopaid'
const rows = routeTable.map(([path]) => path)
const guards = guardsOf(routeTable)

interface Stage {
  readonly url: string
  readonly scene: Scene
  readonly people: Readonly<Record<Role, Registered | null>>
}

const test = base.extend<object, { stage: Stage }>({
  stage: [
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'kb-guards-'))
      const server = await startServer({ DATA_DIR: folder, WELCOME_POINTS: '600' })
      await use(await prepare(server.url, folder))
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
    { scope: 'worker', timeout: 60_000 },
  ],
})

async function prepare(url: string, folder: string): Promise<Stage> {
  const owner = await register(url)
  const user = await register(url)
  const buyer = await register(url)
  const administrator = await register(url)
  await promisify(execFile)(
    join('node_modules', '.bin', 'node'),
    ['scripts/admin.ts', 'grant', administrator.username],
    { env: { ...process.env, DATA_DIR: folder } },
  )
  const words = Array.from({ length: 20 }, (_, place) => `word${place}`).join(' ')
  const lesson = await publish(url, owner, { article: `<p>${SECRET} ${words}</p>` })
  const lessons = [lesson]
  while (lessons.length < COURSE_LESSONS.min) lessons.push(await publish(url, owner))
  const course = await publishCourse(url, owner, lessons)
  for (const path of [`lesson/buy/${lesson}`, `course/buy/${course}`]) {
    const headers = { authorization: `Bearer ${buyer.accessToken}` }
    const { status } = await fetch(`${url}/api/${path}`, { method: 'POST', headers })
    expect(status).toBe(200)
  }
  const people = { guest: null, user, owner, buyer, administrator }
  const ids = { user: user.id, owner: owner.id, buyer: buyer.id, administrator: administrator.id }
  return { url, people, scene: { lesson, course, ids } }
}

/** Navigates like a link, without loading the page again. */
async function follow(page: Page, address: string): Promise<void> {
  await page.evaluate((target) => {
    window.history.pushState(null, '', target)
    window.dispatchEvent(new PopStateEvent('popstate', { state: null }))
  }, address)
}

/** Returns the server's redirect target and the title of that page. */
async function askServer(page: Page, address: string): Promise<{ end: string; title: string }> {
  const answer = await page.request.get(address)
  const title = /<title>(.*?)<\/title>/.exec(await answer.text())?.[1] ?? ''
  return { end: answer.url(), title: title.replaceAll('&amp;', '&') }
}

for (const role of ROLES) {
  test(`every page as ${role}, with client-side navigation`, async ({ page, stage }) => {
    test.setTimeout(120_000)
    const { url, scene, people } = stage
    const person = people[role]
    if (person !== null) await page.context().addCookies([{ ...person.cookie, url }])
    await visit(page, `${url}/privacy-policy`)
    const loaded = await page.evaluate(() => performance.timeOrigin)
    const main = page.getByRole('main')
    for (const path of rows) {
      const guard = guards[path]
      if (guard === undefined) throw new Error(`no guard for ${path}`)
      // Skipped, because opening it signs the person out.
      if (path === '/logout' && person !== null) continue
      const address = guard.address(scene)
      const server = await askServer(page, url + address)
      await follow(page, address)
      await expect(page, `${role} at ${path}`).toHaveTitle(server.title)
      await expect(page, `${role} at ${path}`).toHaveURL(url + endOf(guard, role, scene))
      expect(page.url()).toBe(server.end)
      const reads = guard.reads.includes(role)
      if (reads) await expect(main).toContainText(SECRET)
      else await expect(main).not.toContainText(SECRET)
    }
    if (person !== null) {
      await follow(page, '/logout')
      await expect(page).toHaveURL(`${url}/`)
      await expect(
        page.getByRole('banner').getByRole('link', { name: 'Sign in', exact: true }),
      ).toBeVisible()
    }
    expect(await page.evaluate(() => performance.timeOrigin)).toBe(loaded)
  })
}
