/** Tests that texts which PostgreSQL can't store cause no errors anywhere. */
import { expect, test } from 'vitest'
import { isStorable, toStorable } from '#server/kernel/text/storable.ts'
import { openTestApp } from '#server/testing/setup.ts'

interface Description {
  readonly paths: Record<string, Record<string, { requestBody?: { content: Content } }>>
}
type Content = Record<string, { schema?: { properties?: Record<string, { type?: string }> } }>

const ODD = ['x\0y', 'x\ud800y'] as const
/** Forms in a URL; a lone surrogate has no UTF-8 form. */
const IN_ADDRESS = ['x%00y', '%00', 'x%ED%A0%80y']

const app = await openTestApp()
const ann = await app.signUp('ann')
const { body } = await app.call<Description>('GET', '/openapi.json')
const paths = body.paths

test('a text is told apart and mended', () => {
  expect([...ODD, 'щ 🌅'].map(isStorable)).toEqual([false, false, true])
  expect(ODD.map(toStorable)).toEqual(['xy', 'x\ufffdy'])
})

/** These calls would end the session of the test. */
const ENDS = /logout|erase|revoke/

test('such texts cause no error in any call', async () => {
  const faults: string[] = []
  let asked = 0
  const look = async (what: string, work: Promise<{ status: number }>) => {
    asked += 1
    const { status } = await work
    if (status === 500) faults.push(what)
  }
  for (const [path, methods] of Object.entries(paths)) {
    const below = path.replace(/^\/api/, '')
    for (const [name, { requestBody }] of Object.entries(methods)) {
      const method = name.toUpperCase()
      if (ENDS.test(path)) continue
      for (const odd of IN_ADDRESS) {
        const address = below.replaceAll(/\{\w+\}/g, odd)
        const json = method === 'GET' || method === 'DELETE' ? undefined : {}
        const query = `?search=${odd}&tag=${odd}&receiver=${odd}&token=${odd}&name=${odd}`
        await look(`${method} ${address}`, app.call(method, address + query, { as: ann, json }))
      }
      const properties = requestBody?.content['application/json']?.schema?.properties ?? {}
      for (const odd of ODD) {
        const json = Object.fromEntries(
          Object.entries(properties).map(([field, { type }]) => [
            field,
            type === 'string' ? `${odd} ${'long enough '.repeat(3)}` : 1,
          ]),
        )
        if (Object.keys(json).length === 0) continue
        const address = below.replaceAll(/\{\w+\}/g, '1')
        await look(
          `${method} ${address} with ${JSON.stringify(odd)}`,
          app.call(method, address, { as: ann, json }),
        )
      }
    }
  }
  expect(asked).toBeGreaterThan(150)
  expect(faults).toEqual([])
})

test('nor in uploads, files or pages', async () => {
  const statuses = []
  const name = Buffer.from('a\0b.pdf').toString('base64')
  const id = '00000000-0000-7000-8000-000000000000'
  for (const address of [
    '/files/pictures/%00/480.webp',
    '/files/pictures/x/%00',
    '/files/resources/%00/a.pdf',
    `/files/resources/${id}/a%00b.pdf`,
    '/api/upload/resource/%00',
    '/profile/%00',
    '/lesson/details/%00',
  ])
    statuses.push((await fetch(app.url + address)).status)
  const answer = await fetch(`${app.url}/api/upload/resource`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${ann.session.accessToken}`,
      'tus-resumable': '1.0.0',
      'upload-length': '3',
      'upload-metadata': `filename ${name}`,
    },
  })
  expect(answer.status).toBe(201)
  expect(statuses.filter((status) => status === 500)).toEqual([])
})
