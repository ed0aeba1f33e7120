/** Client-side navigation to each page must end where the server would have redirected. */
import type { Page } from '@playwright/test'
import { endOf, guardsOf, ROLES, type Role, type Scene } from '#server/testing/guards.ts'
import { routeTable } from '#web/routes.ts'
import { expect, once, test as base, visit } from './fixtures.ts'
import {
  publishShelf,
  register,
  registerAdministrator,
  registerBuyer,
  type Registered,
} from './people.ts'

const SECRET = 'onlyforthosewhopaid'
const rows = routeTable.map(([path]) => path)
const guards = guardsOf(routeTable)

interface Stage {
  readonly scene: Scene
  readonly people: Readonly<Record<Role, Registered | null>>
}

const test = base.extend<{ stage: Stage }>({
  stage: once(async (server) => {
    const article = `<p>${SECRET} ${Array.from({ length: 20 }, (_, place) => `word${place}`).join(' ')}</p>`
    const shelf = await publishShelf(server.url, 'Guarded', {
      lesson: (place) => (place === 1 ? { article } : {}),
    })
    const { author: owner, lesson, course } = shelf
    const user = await register(server.url)
    const buyer = await registerBuyer(server, 600, `lesson/buy/${lesson}`, `course/buy/${course}`)
    const administrator = await registerAdministrator(server)
    const ids = { user: user.id, owner: owner.id, buyer: buyer.id, administrator: administrator.id }
    const people = { guest: null, user, owner, buyer, administrator }
    return { people, scene: { lesson, course, ids } }
  }),
})

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
  test(`every page as ${role}, with client-side navigation`, async ({
    page,
    server: { url },
    stage,
  }) => {
    test.setTimeout(120_000)
    const { scene, people } = stage
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
