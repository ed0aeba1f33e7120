/** Visits every page and state once in English. The slow tests cover each language, theme and width. */
import { findings } from '#e2e/axe.ts'
import { expect, once, test as base } from '#e2e/fixtures.ts'
import { signIn } from '#e2e/people.ts'
import { crawl, type Look } from './crawl.ts'
import { FEW_WIDTHS, overflowingAt, untranslatedKeys, WIDE } from './look.ts'
import { bulgarianWords, fillMarket, type Market, type Role, ROLES } from './market.ts'
import { namedStates } from './states.ts'

const test = base.extend<{ market: Market }>({
  market: once((server) => fillMarket(server, bulgarianWords, 'short')),
})
/** Pages similar to another one of the same role. The slow tests visit them too. */
const ALIKE: Partial<Record<Role, RegExp>> = {
  guest:
    /^\/(course\/(all\?search|details\/999999|details\/\d+\/)|search\?q=testing|tag\/testing|search\?.*&tag=|lesson\/all\?search|(password\/reset|email\/(confirm|undo|unsubscribe))$|login\?)/,
  newcomer: /^\/(course\/(bought|yours)|liked|following|profile\/second-factor)$/,
  author: /^\/($|author\?|author\/course)/,
  reader: /^\/(notes\?|course\/details\/\d+\/)/,
  administrator: /^\/(comment\/all\?label|admin\/(ratings\?|reports\?|mails\?))/,
}

const look: Look = async (page, kind) => {
  // The page behind a dialog was already checked.
  const axe = await findings(page, {}, kind === 'dialog' ? 'dialog[open]' : 'html')
  const keys = await untranslatedKeys(page)
  if (kind !== 'page') return { axe, keys }
  const sideways = await overflowingAt(page, FEW_WIDTHS)
  await page.setViewportSize(WIDE)
  return { axe, keys, sideways }
}

/** Roles whose pages are checked in dark colours, so that most components are seen in both. */
const DARK: readonly Role[] = ['newcomer', 'author', 'administrator']

for (const role of ROLES)
  test(`the pages of the ${role} have no faults in axe, at narrow widths and in texts`, async ({
    page,
    server,
    market,
  }) => {
    test.setTimeout(480_000)
    if (role !== 'guest') await signIn(page, server.url, market.people[role])
    await page.setViewportSize(WIDE)
    const colorScheme = DARK.includes(role) ? 'dark' : 'light'
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const paths = market.paths[role].filter((path) => ALIKE[role]?.test(path) !== true)
    const named = namedStates.filter((state) => state.role === role)
    const tour = { paths, named, query: 'lang=en', where: { server, market } }
    const { wrong, states } = await crawl(page, tour, look)
    expect(wrong).toEqual({})
    expect(states.length).toBeGreaterThanOrEqual(new Set(paths).size + named.length)
  })
