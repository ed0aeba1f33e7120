/** The bell keeps counting behind a proxy that cuts every long-lived connection, as many do after a minute. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import type { Page } from '@playwright/test'
import { LOCALES } from '#contract/messages/messages.ts'
import { translate } from '#server/kernel/text/messages.ts'
import { expect, test, visit } from './fixtures.ts'
import { publish, register, type Registered, signIn } from './people.ts'
import { startServer } from './server.ts'

/** A shorter lifetime than real proxies have, in ms. */
const LIFE_MS = 1500

interface CuttingProxy {
  readonly url: string
  /** Number of connections cut so far. */
  readonly cuts: () => number
  leadTo(port: number): void
  close(): void
}

/** Forwards bytes, and closes WebSocket connections silently after their lifetime. */
async function startProxy(): Promise<CuttingProxy> {
  let target = 0
  let cuts = 0
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    for (const socket of [near, far]) {
      open.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => {
        open.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.on('data', (bytes) => {
      if (!/^upgrade: *websocket/im.test(bytes.toString('latin1'))) return
      setTimeout(() => {
        if (!near.destroyed) cuts += 1
        near.destroy()
      }, LIFE_MS)
    })
    near.pipe(far)
    far.pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    cuts: () => cuts,
    leadTo: (port) => {
      target = port
    },
    close: () => {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

async function like(url: string, as: Registered, lesson: number): Promise<void> {
  const response = await fetch(`${url}/api/lesson/like/${lesson}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${as.accessToken}` },
  })
  expect(response.ok, String(response.status)).toBe(true)
}

test('the bell keeps counting behind a proxy that cuts connections, without losses and duplicates', async ({
  browser,
}) => {
  const proxy = await startProxy()
  const server = await startServer({ PUBLIC_URL: proxy.url, HOST: '127.0.0.1' })
  proxy.leadTo(Number(new URL(server.url).port))
  const pages: Page[] = []
  try {
    const [author, reader] = [await register(proxy.url), await register(proxy.url)]
    const lessons: number[] = []
    for (const title of ['Sauerkraut', 'Kimchi', 'Kombucha', 'Sourdough'])
      lessons.push(await publish(proxy.url, author, { title }))
    for (const locale of LOCALES) {
      const context = await browser.newContext({
        baseURL: proxy.url,
        locale: locale === 'bg' ? 'bg-BG' : 'en-GB',
      })
      const page = await context.newPage()
      await signIn(page, proxy.url, author)
      await visit(page, `/about?lang=${locale}`)
      pages.push(page)
    }
    const bells = async (count: number) => {
      for (const [place, locale] of LOCALES.entries()) {
        const name = translate(locale, 'noticesBell', { count })
        const page = pages[place] as Page
        const bell = page.getByRole('banner').getByRole('link', { name, exact: true })
        await expect(bell).toBeVisible({ timeout: 20_000 })
      }
    }
    await bells(0)
    for (const [place, lesson] of lessons.entries()) {
      // Right after a cut at least one page is disconnected.
      const before = proxy.cuts()
      await expect.poll(proxy.cuts, { timeout: 30_000 }).toBeGreaterThan(before)
      await like(server.url, reader, lesson)
      await bells(place + 1)
    }
    expect(proxy.cuts()).toBeGreaterThanOrEqual(lessons.length)
    const page = pages[0] as Page
    await page.goto('/notifications?lang=en')
    await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(lessons.length)
  } finally {
    for (const page of pages) await page.context().close()
    await server.stop()
    proxy.close()
  }
})
