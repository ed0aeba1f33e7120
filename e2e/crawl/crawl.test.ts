/** Every page and state once, in English. The slow lane looks in each language, at more widths and more closely. */
import { findings } from '#e2e/axe.ts'
import { expect, once, test as base } from '#e2e/fixtures.ts'
import { signIn } from '#e2e/people.ts'
import { crawl } from './crawl.ts'
import { darkContrast, FEW_WIDTHS, keysShown, sidewaysAt, WIDE } from './look.ts'
import { bulgarianWords, fillMarket, type Market, ROLES } from './market.ts'

const test = base.extend<{ market: Market }>({
  market: once((server) => fillMarket(server, bulgarianWords, 'short')),
})
// Lets several workers share the file.
test.describe.configure({ mode: 'parallel' })

for (const role of ROLES)
  test(`axe, narrow windows and texts find no fault on the pages of the ${role}`, async ({
    page,
    server,
    market,
  }) => {
    test.setTimeout(240_000)
    if (role !== 'guest') await signIn(page, server.url, market.people[role])
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    const { wrong, states } = await crawl(page, market.paths[role], async (_, isPage) => {
      const found = {
        axe: await findings(page),
        keys: await keysShown(page),
        dark: isPage ? await darkContrast(page) : [],
        sideways: await sidewaysAt(page, FEW_WIDTHS),
      }
      await page.setViewportSize(WIDE)
      return found
    })
    expect(wrong).toEqual({})
    expect(states.length).toBeGreaterThanOrEqual(new Set(market.paths[role]).size)
  })
