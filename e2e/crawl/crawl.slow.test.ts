/** Crawls all pages in each language, in light and dark, at all widths, with every control in all states. */
import { type Locale, LOCALES, tagOf } from '#contract/messages/messages.ts'
import { findings } from '#e2e/axe.ts'
import { expect, once, test as base, visit } from '#e2e/fixtures.ts'
import { signIn } from '#e2e/people.ts'
import { crawl, type Look } from './crawl.ts'
import {
  ALL_WIDTHS,
  controlFaults,
  clippedTexts,
  darkContrast,
  FEW_WIDTHS,
  untranslatedAfterSwitch,
  untranslatedKeys,
  latinSentences,
  PHONE,
  overflowingAt,
  WIDE,
} from './look.ts'
import { bulgarianWords, fillMarket, type Market, ROLES, wideWord } from './market.ts'
import { namedStates } from './states.ts'

const test = base.extend<{ market: Market; wideSite: Market }>({
  market: once((server) => fillMarket(server, bulgarianWords, 'short')),
  wideSite: once((server) => fillMarket(server, wideWord, 'long')),
})
test.describe.configure({ mode: 'parallel' })

const isLatin = (locale: Locale) => new Intl.Locale(tagOf(locale)).maximize().script === 'Latn'

for (const locale of LOCALES)
  for (const role of ROLES)
    test(`the pages of the ${role} have no faults in any state, theme or width (${locale})`, async ({
      page,
      server,
      market,
    }) => {
      test.setTimeout(900_000)
      if (role !== 'guest') await signIn(page, server.url, market.people[role])
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
      const session = await page.context().newCDPSession(page)
      await session.send('DOM.enable')
      await session.send('CSS.enable')
      const seen: string[] = []
      const look: Look = async (_, kind) => {
        const place = kind === 'dialog' ? 'dialog[open]' : 'html'
        await page.setViewportSize(PHONE)
        const found = {
          axe: await findings(page, {}, place),
          dark: await darkContrast(page, place),
          keys: await untranslatedKeys(page),
          cut: await page.evaluate(clippedTexts),
          english: isLatin(locale) ? [] : await page.evaluate(latinSentences),
          sideways: await overflowingAt(page, kind === 'page' ? ALL_WIDTHS : FEW_WIDTHS),
        }
        await page.setViewportSize(WIDE)
        return {
          ...found,
          wide: await findings(page, {}, place),
          controls: await controlFaults(page, session, seen),
          changed: kind === 'page' ? await untranslatedAfterSwitch(page, locale) : [],
        }
      }
      const paths = market.paths[role]
      const named = namedStates.filter((state) => state.role === role)
      const tour = { paths, named, query: `lang=${locale}`, where: { server, market } }
      const { wrong } = await crawl(page, tour, look)
      expect(wrong).toEqual({})
      expect(seen.length).toBeGreaterThan(10)
    })

test('no user text makes a page wider than a phone', async ({ browser, server, wideSite }) => {
  test.setTimeout(300_000)
  const problems: Record<string, string[]> = {}
  for (const role of ROLES) {
    const context = await browser.newContext({ baseURL: server.url })
    const page = await context.newPage()
    if (role !== 'guest') await signIn(page, server.url, wideSite.people[role])
    for (const path of wideSite.paths[role]) {
      await visit(page, path)
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true
      })
      const found = await overflowingAt(page, [320, 390])
      if (found.length > 0) problems[`${role} ${path}`] = found
    }
    await context.close()
  }
  expect(problems).toEqual({})
})
