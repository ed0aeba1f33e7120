/** A language that is added by its file alone appears on every page, without a text in English. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { catalogueOf } from '#server/kernel/text/catalogues.ts'
import { copyWithLanguage, MADE_UP, MISSING } from '#server/testing/made-up-language.ts'
import { awake, expect, test as base, visit } from './fixtures.ts'
import { crawl, type Look } from './crawl/crawl.ts'
import { bulgarianWords, fillMarket, ROLES } from './crawl/market.ts'
import { signIn } from './people.ts'
import { startServer } from './server.ts'

const SOURCES = [
  'contract',
  'packages',
  'scripts',
  'server',
  'web',
  'worker',
  'package.json',
  'package-lock.json',
  'vite.config.ts',
]

const test = base.extend({
  server: [
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'kb-language-'))
      await copyWithLanguage(folder, SOURCES)
      const server = await startServer({}, { file: 'scripts/start.mjs', folder })
      await use(server)
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
    { scope: 'worker', timeout: 240_000 },
  ],
})

/** Names, what has no letters of its own, and a word that the API's description has as a name. */
const isNeutral = (text: string) => /^[^a-z]*$|^(?:API|Chat|ms|tag)$/i.test(text)
const { [MISSING]: missing, ...others } = catalogueOf('en')
const ENGLISH = Object.values(others).filter((text) => !/[{<]/.test(text) && !isNeutral(text))

/** Returns the texts and names of elements that are texts of English. */
const englishTexts = (page: Page) =>
  page.evaluate((english) => {
    const known = new Set(english)
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const texts: string[] = [document.title]
    while (walker.nextNode()) {
      const { parentElement, textContent } = walker.currentNode
      if (parentElement?.closest('script, style, code, kbd, pre, [lang]:not(html)') === null)
        texts.push(textContent ?? '')
    }
    for (const name of ['aria-label', 'title', 'alt', 'placeholder'])
      for (const element of document.querySelectorAll(`[${name}]`))
        texts.push(element.getAttribute(name) ?? '')
    return texts.map((text) => text.trim()).filter((text) => known.has(text))
  }, ENGLISH)

test('every page of every person is in a language that exists as a file alone', async ({
  browser,
  server,
}) => {
  test.setTimeout(900_000)
  const market = await fillMarket(server, bulgarianWords, 'short')
  const look: Look = async (page) => ({
    english: await englishTexts(page),
    lang: (await page.getAttribute('html', 'lang')) === MADE_UP ? [] : ['another language'],
  })
  const faults: Record<string, readonly string[]> = {}
  for (const role of ROLES) {
    const context = await browser.newContext({ baseURL: server.url, serviceWorkers: 'block' })
    const page = await context.newPage()
    if (role !== 'guest') await signIn(page, server.url, market.people[role])
    const where = { server, market }
    const tour = { paths: market.paths[role], named: [], query: `lang=${MADE_UP}`, where }
    Object.assign(faults, (await crawl(page, tour, look)).wrong)
    await context.close()
  }
  expect(faults).toEqual({})
})

test('it is in the menu, and its missing text is English', async ({ page, server }) => {
  await visit(page, '/privacy-policy?lang=en')
  await awake(page)
  await page.locator('footer select').selectOption({ label: '⟦Language⟧' })
  await expect(page.locator('html')).toHaveAttribute('lang', MADE_UP)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('⟦Privacy policy⟧')
  await expect(page.getByText(missing, { exact: true })).toBeVisible()
  const head = await (await fetch(`${server.url}/`)).text()
  expect(head).toContain(`hreflang="${MADE_UP}"`)
  const feed = await fetch(`${server.url}/feeds/lessons.atom?lang=${MADE_UP}`)
  expect(await feed.text()).toContain('⟦New lessons⟧')
  const manifest = await fetch(`${server.url}/manifest/${MADE_UP}.webmanifest`)
  expect(await manifest.json()).toMatchObject({ lang: MADE_UP, name: '⟦Knowledge Bazaar⟧' })
})
