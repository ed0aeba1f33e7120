/** FILES_URL: pages show pictures from another origin, and nothing else changes its address. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setRole } from '#server/accounts/store.ts'
import { createTestApp, type Person, type TestApp } from '#server/testing/app.ts'
import { guards, type Scene } from '#server/testing/guards.ts'
import { loadRouteTable, loadSourceRenderer } from '#server/testing/pages.ts'

const CDN = 'https://pictures.example:8443'
const rows = await loadRouteTable()

let app: TestApp
let administrator: Person
let scene: Scene

beforeAll(async () => {
  app = await createTestApp({ FILES_URL: CDN, WELCOME_POINTS: '600' }, await loadSourceRenderer())
  administrator = await app.signUp('chief')
  const other = await app.signUp('learner')
  await setRole(app.app.database.db, 'chief', 'administrator')
  const course = await app.publishCourse(administrator)
  const id = administrator.session._id
  const ids = { user: other.session._id, owner: id, buyer: id, administrator: id }
  scene = { lesson: course.lessons[0]?.id ?? 0, course: course.id, ids }
  const json = { kind: 'lesson', id: String(scene.lesson), reason: 'spam', text: '' }
  await app.call('POST', '/flags', { as: other, json })
})
afterAll(() => app.close())

const PICTURE = /^\/?(?:files\/pictures|art|share)\b/

/** Addresses of pictures in the markup, structured data included, and those that are not of that origin. */
function picturesIn(html: string): { all: string[]; here: string[] } {
  const markup = html.replaceAll(/<script type="application\/json".*?<\/script>/gs, '')
  const attributes = [...markup.matchAll(/\s(?:src|srcset|content)="([^"]*)"/gi)].flatMap(
    ([, value = '']) => value.split(', ').map((each) => each.split(' ')[0] ?? ''),
  )
  const structured = [...markup.matchAll(/"image":"([^"]*)"/g)].map(([, value = '']) => value)
  const all = [...attributes, ...structured].filter((address) =>
    PICTURE.test(address.replace(/^https?:\/\/[^/]+/, '')),
  )
  return { all, here: all.filter((address) => !address.startsWith(`${CDN}/`)) }
}

describe.each(rows.map(([path]) => path))('%s', (path) => {
  test('shows and names pictures of that origin alone', async () => {
    for (const as of [null, administrator]) {
      const answer = await fetch(app.url + (guards[path]?.address(scene) ?? path), {
        headers: { cookie: as?.cookie ?? '' },
        redirect: 'manual',
      })
      if (answer.status >= 300 && answer.status < 400) continue
      const { all, here } = picturesIn(await answer.text())
      expect(here).toEqual([])
      // Each has a preview at least.
      expect(all.length).toBeGreaterThanOrEqual(2)
      expect(answer.headers.get('content-security-policy')).toContain(
        `img-src 'self' data: blob: ${CDN};`,
      )
    }
  })
})

test('a lesson shows its cover, its owner and its preview from there, in every width', async () => {
  const html = await (await fetch(`${app.url}/lesson/details/${scene.lesson}`)).text()
  const { all } = picturesIn(html)
  for (const part of ['/1280.webp', '/320.avif', '/320.webp', '/share/'])
    expect(all.some((address) => address.includes(part))).toBe(true)
  expect(html).toContain(`<link rel="canonical" href="${app.url}/lesson/details/${scene.lesson}">`)
})

test('the API names paths of this site, which answers them', async () => {
  const { body } = await app.call<{ thumbnail: string; ownerImage: string }>(
    'GET',
    `/lesson/${scene.lesson}`,
  )
  for (const path of [body.thumbnail, body.ownerImage]) {
    expect(path).toMatch(/^\/(?:files\/pictures|art)\//)
    const answer = await fetch(app.url + path)
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ])
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
  }
})
