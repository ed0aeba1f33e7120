/** The numbers of comments of lessons and courses stay right while other changes run concurrently. */
import { expect, test } from 'vitest'
import type { Comment } from '#contract/comments.ts'
import { lockCourse, vanishCourse } from '#server/items/courses/store.ts'
import { recountNumbers } from '#server/items/shared/recount.ts'
import { done } from '#server/testing/http/answers.ts'
import { edit, publishLessons } from '#server/testing/learning/items.ts'
import { whileHolding } from '#server/testing/learning/waiting.ts'
import { openTestApp } from '#server/testing/setup.ts'

const app = await openTestApp({ DAILY_REWARD_LIMIT: '1000' })
const ann = await app.signUp('ann')
const { db } = app.app.database

const write = (id: number) =>
  done<Comment>(app, ann, `POST /comment/create/${id}`, { text: 'One more word on this.' })
const remove = (id: number) => done(app, ann, `DELETE /comment/delete/${id}`)
const setLessons = (courseId: number, lessons: readonly number[]) =>
  edit(app, ann, ['course', courseId], { lessons })

/** Returns the number of lessons and courses with a wrong number of comments. */
const countWrong = async () =>
  (await recountNumbers(db, 'lesson')) + (await recountNumbers(db, 'course'))

test('sums stay exact while lessons are added, removed and commented on', async () => {
  const ids = await publishLessons(app, ann, 9)
  const one = await app.publishCourse(ann, { lessons: ids.slice(0, 6) })
  const two = await app.publishCourse(ann, { lessons: ids.slice(3, 9) })
  const place = (n: number) => ids[n % ids.length] ?? 0
  const talk = async (seed: number) => {
    for (let n = 0; n < 8; n += 1) {
      const { id } = await write(place(seed * 5 + n * 7))
      if (n % 2 === 0) await remove(id)
    }
  }
  const rearrange = async (courseId: number, seed: number) => {
    for (let n = 0; n < 8; n += 1) {
      const six = Array.from({ length: 6 }, (_, step) => place(seed + n + step))
      await setLessons(courseId, six)
    }
  }
  await Promise.all([
    ...Array.from({ length: 10 }, (_, seed) => talk(seed)),
    rearrange(one.id, 0),
    rearrange(two.id, 4),
  ])
  expect(await countWrong()).toBe(0)
  const removals = ids.slice(0, 2).map((id) => app.call('DELETE', `/lesson/${id}`, { as: ann }))
  await Promise.all([...removals, ...ids.slice(2).map(write), setLessons(one.id, ids.slice(2, 8))])
  expect(await countWrong()).toBe(0)
})

test('comments are added and deleted while their course is deleted', async () => {
  const { id, lessons } = await app.publishCourse(ann)
  const lesson = lessons[0]?.id ?? 0
  const comment = await write(lesson)
  await whileHolding(
    db,
    async (tx) => {
      await lockCourse(tx, id)
      await vanishCourse(tx, id, { deletedAt: new Date(), refundsDue: false, isRestorable: false })
    },
    () => Promise.all([remove(comment.id), write(lesson)]),
  )
  const course = await db.selectFrom('courses').select('comments').where('id', '=', id).execute()
  expect(course).toEqual([{ comments: 0 }])
  expect(await countWrong()).toBe(0)
})
