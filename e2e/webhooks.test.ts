/** Tests the webhook pages for administrators. */
import { startReceiver, type Receiver } from '#server/testing/webhooks/receiver.ts'
import { expect, test as base, visit } from './fixtures.ts'
import { register, registerAdministrator, signIn } from './people.ts'
import { startServer, type Server } from './server.ts'

const test = base.extend<object, { receiver: Receiver; server: Server }>({
  receiver: [
    async ({}, use) => {
      const receiver = await startReceiver()
      await use(receiver)
      await receiver.close()
    },
    { scope: 'worker' },
  ],
  server: [
    async ({}, use) => {
      const server = await startServer({ WEBHOOK_ALLOW_ADDRESSES: '127.0.0.1' })
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
})

test('a webhook is created, used, inspected, sent again, edited and deleted', async ({
  page,
  server,
  receiver,
}) => {
  await signIn(page, server.url, await registerAdministrator(server))
  await visit(page, '/admin/webhooks')
  await expect(page.getByText('No webhooks yet')).toBeVisible()

  await page.getByRole('button', { name: 'Add a webhook' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Address').fill('http://169.254.169.254/latest')
  await dialog.getByLabel('What it is for').fill('The newsletter')
  await dialog.getByLabel('Somebody registered').check()
  await dialog.getByRole('button', { name: 'Add a webhook' }).click()
  await expect(dialog.getByText('This address is private')).toBeVisible()
  await dialog.getByLabel('Address').fill(receiver.url)
  await dialog.getByRole('button', { name: 'Add a webhook' }).click()

  const shown = page.getByRole('dialog', { name: 'The webhook’s secret' })
  const secret = await shown.getByLabel('Secret').inputValue()
  expect(secret).toMatch(/^whsec_/)
  await shown.getByRole('button', { name: 'I’ve saved it' }).click()

  receiver.answer = (response) => void response.writeHead(500).end('Not today')
  await register(server.url)
  await expect.poll(() => receiver.received.length).toBeGreaterThan(0)
  receiver.answer = (response) => void response.writeHead(200).end('Thank you')
  const [first] = receiver.received
  await page.getByRole('link', { name: 'Log: The newsletter' }).click()
  const log = page.getByRole('table', { name: 'Deliveries' })
  // The log page must be open before it is reloaded.
  await expect(log).toBeVisible()
  await expect.poll(() => receiver.received.length).toBe(2)
  await expect(async () => {
    await page.reload()
    await expect(log).toContainText('Arrived', { timeout: 2000 })
  }).toPass()
  await expect(log).toContainText('Thank you')

  const before = receiver.received.length
  await log.getByRole('button', { name: 'Send again: Somebody registered' }).click()
  await expect.poll(() => receiver.received.length).toBe(before + 1)
  expect(receiver.received.at(-1)?.headers['webhook-id']).toBe(first?.headers['webhook-id'])

  await page.getByRole('button', { name: 'Edit: The newsletter' }).click()
  await dialog.getByLabel('Send events there').uncheck()
  await dialog.getByLabel('What it is for').fill('The old newsletter')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Switched off')).toBeVisible()
  await page.getByRole('button', { name: 'New secret: The old newsletter' }).click()
  await dialog.getByRole('button', { name: 'New secret' }).click()
  expect(await shown.getByLabel('Secret').inputValue()).not.toBe(secret)
  await shown.getByRole('button', { name: 'I’ve saved it' }).click()
  await page.getByRole('button', { name: 'Remove: The old newsletter' }).click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('No webhooks yet')).toBeVisible()
  await visit(page, '/admin/log')
  await expect(page.getByText('removed the webhook The old newsletter')).toBeVisible()
})
