/** Tests the access of every page: status, redirect, and no paid text in the HTML. */
import { describe, expect, test } from 'vitest'
import { COURSE_LESSONS } from '#contract/limits.ts'
import { setRole } from '#server/people/accounts/store.ts'
import { endOf, guardsOf, ROLES, specialGuards } from '#server/testing/guards.ts'
import { loadRouteTable, loadSourceRenderer } from '#server/testing/pages.ts'
import { openTestApp } from '#server/testing/setup.ts'

const rows = await loadRouteTable()
const guards = guardsOf(rows)
/** A word of the paid article. */
const SECRET = 'onlyforthosewhopaid'

const app = await openTestApp({ WELCOME_POINTS: '600' }, await loadSourceRenderer())
const [owner, user, buyer, administrator] = await Promise.all(
  ['owner', 'learner', 'buyer', 'chief'].map((name) => app.signUp(name)),
)
if (!owner || !user || !buyer || !administrator) throw new Error('four people signed up')
await setRole(app.app.database.db, 'chief', 'administrator')
const words = Array.from({ length: 20 }, (_, place) => `word${place}`).join(' ')
const { id: lesson } = await app.publishLesson(owner, { article: `<p>${SECRET} ${words}</p>` })
const others = await Promise.all(
  Array.from({ length: COURSE_LESSONS.min - 1 }, () => app.publishLesson(owner)),
)
const lessons = [lesson, ...others.map(({ id }) => id)]
const course = await app.publishCourse(owner, { lessons })
for (const path of [`/lesson/buy/${lesson}`, `/course/buy/${course.id}`]) {
  expect((await app.call('POST', path, { as: buyer })).status).toBe(200)
}
const people = { guest: null, user, owner, buyer, administrator }
const ids = {
  user: user.session._id,
  owner: owner.session._id,
  buyer: buyer.session._id,
  administrator: administrator.session._id,
}
const scene = { lesson, course: course.id, ids }

test('every special guard has its row, and the desk is for administrators', () => {
  expect(Object.keys(specialGuards).filter((path) => !(path in guards))).toEqual([])
  const desk = rows.filter(([path]) => path.startsWith('/admin/'))
  expect(new Set(desk.map(([, access]) => access))).toEqual(new Set(['administrator']))
})

/** Counts first-level headings in the page, and in <main>. */
function headings(html: string) {
  const count = (part: string) => part.split(/<h1[\s>]/).length - 1
  const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'))
  return { all: count(html), inMain: count(main) }
}

describe.each(ROLES)('as %s', (role) => {
  test.each(rows.map(([path]) => path))('%s', async (path) => {
    const guard = guards[path]
    if (guard === undefined) throw new Error(`no guard for ${path}`)
    const cookie = people[role]?.cookie
    const address = guard.address(scene)
    const answer = await fetch(app.url + address, {
      redirect: 'manual',
      headers: { 'accept-encoding': 'br', ...(cookie !== undefined && { cookie }) },
    })
    const html = await answer.text()
    const end = endOf(guard, role, scene)
    if (end === address) {
      expect([answer.status, answer.headers.get('location')]).toEqual([guard.status, null])
      expect(html.includes(SECRET)).toBe(guard.reads.includes(role))
      expect(headings(html)).toEqual({ all: 1, inMain: 1 })
    } else {
      expect([answer.status, answer.headers.get('location'), html]).toEqual([302, end, ''])
      expect(answer.headers.get('content-encoding')).toBeNull()
    }
  })
})
