/** Tests what notices and webhooks rely on. The events are due tomorrow, so the app doesn't take them. */
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { lessonRef } from '#server/platform/events/catalogue.ts'
import { dispatchEvents, type Subscriber } from '#server/platform/events/dispatching.ts'
import { forgetEvents, recordAll } from '#server/platform/events/outbox.ts'
import { openTestApp } from '#server/testing/setup.ts'

const app = await openTestApp()
const { db } = app.app.database
const tomorrow = new Date(Date.now() + 24 * 60 * 60 * 1000)
const needs = { db, clock: { now: () => tomorrow }, events: app.app.core.events }
const liked = (ownerId: string, userId: string) =>
  ({ type: 'item.liked', item: lessonRef(7), ownerId, userId }) as const

beforeEach(async () => {
  await db.deleteFrom('events').execute()
  const events = [liked('ann', 'bob'), liked('bob', 'eve'), liked('eve', 'ann')]
  await db.transaction().execute((tx) => recordAll(tx, events, tomorrow))
})

/** Dispatches to the subscribers, and returns what a last one got. */
async function dispatched(...others: readonly Subscriber[]): Promise<string[]> {
  const got: string[] = []
  const last: Subscriber = (_tx, recorded) => {
    for (const { event } of recorded) if (event.type === 'item.liked') got.push(event.userId)
    return Promise.resolve([])
  }
  await dispatchEvents(needs, [...others, last])
  return got
}

test('events are passed on once, in the order of their recording', async () => {
  expect(await dispatched()).toEqual(['bob', 'eve', 'ann'])
  expect(await dispatched()).toEqual([])
})

test('a subscriber that fails leaves them for the next run', async () => {
  const broken: Subscriber = () => Promise.reject(new Error('broken'))
  await expect(dispatched(broken)).rejects.toThrow('broken')
  expect(await dispatched()).toEqual(['bob', 'eve', 'ann'])
})

test('an event of a type that only a newer version knows waits for it, and holds up no other', async () => {
  await sql`insert into events (type, data, happened_at, due_at)
    values ('lesson.translated', '{}', ${tomorrow}, ${new Date(0)})`.execute(db)
  expect(await dispatched()).toEqual(['bob', 'eve', 'ann'])
  const left = await db.selectFrom('events').select('type').execute()
  expect(left).toEqual([{ type: 'lesson.translated' }])
})

test('an erasure deletes those that name the person', async () => {
  await forgetEvents(db, 'ann')
  expect(await dispatched()).toEqual(['eve'])
})
