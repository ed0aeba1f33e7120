/** Tests who may download the file of a lesson. */
import { expect, test } from 'vitest'
import type { Person } from '#server/testing/app.ts'
import { formOf, uploadFile } from '#server/testing/http/forms.ts'
import { openTestApp } from '#server/testing/setup.ts'

const app = await openTestApp()

const upload = (person: Person) => uploadFile(app, person, 'plan.pdf', 'the plan')

const download = async (path: string, headers: Record<string, string>) => {
  const response = await fetch(app.url + path, { headers })
  return [response.status, response.status === 200 ? await response.text() : null]
}

const asBearer = ({ session }: Person) => ({ authorization: `Bearer ${session.accessToken}` })

test("a lesson's resource can be downloaded after the purchase", async () => {
  const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')]
  const resources = await upload(ann)
  const { id } = await app.publishLesson(ann, { resources })
  expect(await download(resources, {})).toEqual([401, null])
  expect(await download(resources, asBearer(bob))).toEqual([403, null])
  expect(await download(resources, { cookie: bob.cookie })).toEqual([403, null])
  await app.earn(bob, 100)
  expect((await app.call('POST', `/lesson/buy/${id}`, { as: bob })).status).toBe(200)
  for (const headers of [asBearer(bob), { cookie: bob.cookie }, asBearer(ann)]) {
    expect(await download(resources, headers)).toEqual([200, 'the plan'])
  }
})

test("a lesson cannot name another person's upload, not even by its full URL", async () => {
  const [una, oto] = [await app.signUp('una'), await app.signUp('oto')]
  const resources = await upload(oto)
  const { port } = new URL(app.url)
  const id = resources.split('/')[3] ?? ''
  const spellings = [
    resources,
    app.url + resources,
    `http://BAZAAR.example:${port}${resources}`,
    `https://bazaar.example${resources}`,
    `${app.url}/FILES/resources/${id.toUpperCase()}/plan.pdf`,
    `${app.url}//files//resources//${id}/plan.pdf`,
    `${app.url}/%66iles/resources/${id.replace('-', '%2d')}/plan.pdf`,
    `${app.url}/%2566iles/resources/${id}/plan.pdf`,
    `${app.url}\\files\\resources\\${id}`,
    `${app.url}${resources}?x#y`,
    `${app.url}/files/./resources/${id}/plan.pdf`,
    `${app.url}/files/x/../resources/%2e/${id}/plan.pdf`,
  ]
  for (const spelling of spellings)
    await expect(app.publishLesson(una, { resources: spelling }), spelling).rejects.toThrow(
      'uploadUnknown',
    )
})

test("one's own upload can be claimed by its full URL or its path", async () => {
  const una = await app.signUp('ula')
  const resources = await upload(una)
  const { id } = await app.publishLesson(una, { resources: app.url + resources })
  const kept = async () =>
    (await app.call<{ resources: string }>('GET', `/lesson/${id}`, { as: una })).body.resources
  expect(await kept()).toBe(resources)
  const form = formOf({ resources: app.url + resources })
  expect((await app.call('PATCH', `/lesson/${id}`, { as: una, form })).status).toBe(200)
  expect(await kept()).toBe(resources)
  const elsewhere = 'https://files.example/files/resources/plan.pdf'
  const other = await app.publishLesson(una, { resources: elsewhere })
  expect(other.id).toBeGreaterThan(id)
})
