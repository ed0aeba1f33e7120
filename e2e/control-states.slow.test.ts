/**
 * What controls look like in each combination of states, in both themes. One `:hover` that outranks `:disabled` makes a
 * button that can't be pressed look as if it could, or hides its words; no page shows that until somebody points at it.
 */
import type { CDPSession, Page } from '@playwright/test'
import { guards, type Scene } from '#server/testing/guards.ts'
import { routeTable } from '#web/routes.ts'
import { expect, test as base, visit } from './fixtures.ts'
import { grantAdministration, publish, publishCourse, register, signIn } from './people.ts'
import type { Registered } from './people.ts'
import { type Faults, madeUpFaces, markControls, measureControls } from './crawl/control-states.ts'

interface Stage {
  readonly administrator: Registered
  readonly learner: Registered
  readonly scene: Scene
  readonly lessons: readonly number[]
}

const test = base.extend<object, { stage: Stage }>({
  stage: [
    async ({ server }, use) => {
      const author = await register(server.url)
      const learner = await register(server.url)
      const administrator = await register(server.url)
      await grantAdministration(server.dataDir, administrator)
      const lessons: number[] = []
      for (let number = 1; number <= 6; number += 1) lessons.push(await publish(server.url, author))
      // The learner needs points to unlock.
      for (let number = 1; number <= 6; number += 1) await publish(server.url, learner)
      const course = await publishCourse(server.url, author, lessons)
      const ids = {
        owner: author.id,
        user: learner.id,
        buyer: learner.id,
        administrator: administrator.id,
      }
      const scene = { lesson: lessons[0] ?? 0, course, ids }
      await use({ administrator, learner, scene, lessons })
    },
    { scope: 'worker' },
  ],
})

const PSEUDO = [
  [],
  ['hover'],
  ['focus', 'focus-visible'],
  ['hover', 'active'],
  ['hover', 'focus', 'focus-visible'],
]

/** The faults of the controls that this page shows and no earlier page has shown. */
async function look(page: Page, session: CDPSession, seen: string[]): Promise<string[]> {
  seen.push(...(await page.evaluate(markControls, seen)))
  const { root } = await session.send('DOM.getDocument', { depth: 0 })
  const { nodeIds } = await session.send('DOM.querySelectorAll', {
    nodeId: root.nodeId,
    selector: '[data-control]',
  })
  const faults: Faults[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const forcedPseudoClasses of PSEUDO) {
      for (const nodeId of nodeIds)
        // A part that comes to life meanwhile takes the place of its HTML.
        await session.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses }).catch(() => {})
      const found = await page.evaluate(measureControls, forcedPseudoClasses.join(' '))
      faults.push(...found.map((fault) => `${colorScheme}: ${fault}`))
    }
  }
  return faults
}

test('every control can be read in each combination of states, no face is made up, and a disabled one never looks as if it could be pressed', async ({
  page,
  server,
  stage,
}) => {
  test.setTimeout(300_000)
  const session = await page.context().newCDPSession(page)
  await session.send('DOM.enable')
  await session.send('CSS.enable')
  const seen: string[] = []
  const faults: Record<string, string[]> = {}
  const check = async (place: string) => {
    const found = [...(await look(page, session, seen)), ...(await page.evaluate(madeUpFaces))]
    if (found.length > 0) faults[place] = found
  }
  for (const [path, access] of routeTable) {
    if (access !== 'guest') continue
    await visit(page, path)
    await check(path)
  }
  await signIn(page, server.url, stage.learner)
  await visit(page, `/lesson/details/${stage.scene.lesson}`)
  await check('a locked lesson')
  await page.locator('button.btn.pay').first().click({ timeout: 20_000 })
  await expect(page.locator('dialog[open]')).toBeVisible()
  await check('unlocking')
  await page.context().clearCookies()
  await signIn(page, server.url, stage.administrator)
  for (const [path] of routeTable) {
    if (path === '/logout') continue
    await visit(page, guards[path]?.address(stage.scene) ?? path)
    await check(path)
  }
  expect(faults).toEqual({})
  expect(seen.length).toBeGreaterThan(50)
})

test('who presses a button that is disabled by it keeps the focus', async ({
  page,
  server,
  stage,
}) => {
  await page.setViewportSize({ width: 1280, height: 900 })
  await signIn(page, server.url, stage.learner)
  await visit(page, `/lesson/details/${stage.scene.lesson}`)
  const like = page.getByRole('button', { name: /^Liked?$/ })
  await like.press('Enter')
  await expect(like).toHaveText('Liked')
  await expect(like).toBeDisabled()
  await expect(like).toBeFocused()
  await visit(page, '/')
  const next = page.getByRole('button', { name: 'Next' }).first()
  for (let turns = 0; turns < 4 && (await next.isEnabled()); turns += 1) await next.press('Enter')
  await expect(next).toBeDisabled()
  await expect(next).toBeFocused()
  await visit(page, '/profile/notifications')
  await page.getByRole('checkbox').first().click()
  const save = page.getByRole('main').locator('button[type="submit"]')
  await save.press('Enter')
  await expect(save).toBeDisabled()
  await expect(save).toBeFocused()
})
