/** Texts that PostgreSQL can't store. The attacks on text fields (server/testing/attacks) send them to every call. */
import { expect, test } from 'vitest'
import { isStorable, toStorable } from '#server/kernel/text/storable.ts'
import { openTestApp } from '#server/testing/setup.ts'

const ODD = ['x\0y', 'x\ud800y'] as const

const app = await openTestApp()
const ann = await app.signUp('ann')
test('a text is told apart and mended', () => {
  expect([...ODD, 'щ 🌅'].map(isStorable)).toEqual([false, false, true])
  expect(ODD.map(toStorable)).toEqual(['xy', 'x\ufffdy'])
})

test('such texts cause no error in uploads, files or pages', async () => {
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
