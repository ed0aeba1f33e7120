/** States that can't be reached by opening a page or a dialog, or by submitting a form. */
import { createHash, randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { leaveResetLink } from '#e2e/database.ts'
import { expect } from '#e2e/fixtures.ts'
import { register, signIn } from '#e2e/people.ts'
import type { Server } from '#e2e/server.ts'
import type { Kind } from './crawl.ts'
import type { Market, Role } from './market.ts'

export interface Where {
  readonly server: Server
  readonly market: Market
  readonly open: (path: string) => Promise<void>
  readonly check: (state: string, kind: Kind) => Promise<void>
}

export interface NamedState {
  readonly name: string
  readonly role: Role
  readonly act: (page: Page, where: Where) => Promise<void>
}

const dialogOf = (page: Page) => page.locator('dialog[open]')

export const namedStates: readonly NamedState[] = [
  {
    name: 'suggestions',
    role: 'guest',
    act: async (page, { open, check }) => {
      await open('/')
      await page.locator('input[name=search]:visible').first().pressSequentially('сол')
      await expect(page.locator('[role=listbox]')).toBeVisible()
      await check('while typing', 'changed')
    },
  },
  {
    name: 'page that failed',
    role: 'guest',
    act: async (page, { open, check }) => {
      await open('/')
      await page.route('**/assets/AboutPage*', (route) => route.abort('internetdisconnected'))
      await page.locator('footer a[href^="/about"]').click()
      await expect(page.locator('main button[data-kind]')).toBeVisible()
      await check('with another try', 'changed')
    },
  },
  {
    name: 'reset link',
    role: 'guest',
    act: async (_, { server, market, open, check }) => {
      const secret = randomBytes(32).toString('base64url')
      const hash = createHash('sha256').update(secret).digest()
      await leaveResetLink(server.dataDir, market.people.newcomer.id, hash)
      await open(`/password/reset?token=${secret}`)
      await check('that works', 'page')
    },
  },
  {
    name: 'two-step sign-in',
    role: 'newcomer',
    act: async (page, { server, open, check }) => {
      const person = await register(server.url)
      await page.context().clearCookies()
      await page.evaluate(() => localStorage.clear())
      await signIn(page, server.url, person)
      await open('/profile/update')
      await page
        .locator('[aria-labelledby=second-factor] button[aria-haspopup=dialog]')
        .first()
        .click()
      const dialog = dialogOf(page)
      await dialog.locator('input[type=password]').fill(person.password)
      await dialog.locator('button[type=submit]').click()
      const key = dialog.locator('input[readonly]:not([type=hidden])')
      const secret = Secret.fromBase32(await key.inputValue())
      await check('its key', 'dialog')
      await dialog
        .locator('input[autocomplete=one-time-code]')
        .fill(new TOTP({ secret }).generate())
      await dialog.locator('button[type=submit]').click()
      await expect(dialog.getByRole('listitem')).toHaveCount(10)
      await check('its recovery codes', 'dialog')
    },
  },
  {
    name: 'new access token',
    role: 'learner',
    act: async (page, { market, open, check }) => {
      await open('/profile/tokens')
      await page.locator('main button[aria-haspopup=dialog]').first().click()
      const dialog = dialogOf(page)
      await dialog.locator('input[name=name]').fill(`program ${Date.now()}`)
      await dialog.locator('input[type=password]').fill(market.people.learner.password)
      await dialog.locator('button[type=submit]').click()
      await expect(page.locator('dialog textarea[readonly]')).toBeVisible()
      await check('its secret', 'dialog')
    },
  },
  {
    name: 'note',
    role: 'reader',
    act: async (page, { market, open, check }) => {
      await open(`/lesson/details/${market.lesson}`)
      await page.locator('main [role=tab][id$=notes]').click()
      await page.locator('main [role=tabpanel][id*=notes] textarea').first().fill('я'.repeat(1001))
      await check('too long', 'changed')
    },
  },
  {
    name: 'chat',
    role: 'reader',
    act: async (page, { market, open, check }) => {
      // The hub is unreachable from the first connection on.
      await page.routeWebSocket('**/chatHub**', (socket) => socket.close())
      await page.route('**/chatHub/**', (route) => route.abort('internetdisconnected'))
      await page.route('**/api/message/create', (route) => route.abort('internetdisconnected'))
      await open(`/chat?receiver=${market.people.author.username}`)
      const field = page.locator('main textarea').last()
      await field.fill('щипка сол')
      await field.press('Enter')
      // The crawl's own message may also be waiting.
      await expect(page.locator('[data-message=unsent]', { hasText: 'щипка сол' })).toBeVisible()
      await check('unsent message', 'changed')
    },
  },
  {
    name: 'comments desk',
    role: 'administrator',
    act: async (page, { open, check }) => {
      await open('/comment/all')
      await page.locator('main tbody input[type=checkbox]').first().check()
      await expect(page.getByRole('main').getByRole('region')).toBeVisible()
      await check('selection', 'changed')
    },
  },
]
