import { expect, test } from 'vitest'
import type { Event } from '#server/platform/events/catalogue.ts'
import { createEvents } from '#server/platform/events/events.ts'

type Plain =
  | string
  | number
  | boolean
  | null
  | readonly Plain[]
  | { readonly [name: string]: Plain }

const erased: Event = { type: 'user.erased', userId: 'a' }

test('every subscriber gets each event, in the order of subscription', () => {
  const heard: string[] = []
  const events = createEvents({ error: () => undefined })
  events.publish(erased)
  events.subscribe(({ type }) => heard.push(`first ${type}`))
  events.subscribe(({ type }) => heard.push(`second ${type}`))
  events.publish(erased)
  expect(heard).toEqual(['first user.erased', 'second user.erased'])
})

test('an exception in a subscriber is logged and does not affect the others', () => {
  const logged: unknown[] = []
  const heard: Event[] = []
  const events = createEvents({ error: (line: unknown) => void logged.push(line) })
  const broken = new Error('broken')
  events.subscribe(() => {
    throw broken
  })
  events.subscribe((event) => heard.push(event))
  expect(() => events.publish(erased)).not.toThrow()
  expect(heard).toEqual([erased])
  expect(logged).toEqual([{ err: broken, event: 'user.erased' }])
})

test('an event survives JSON, so another node can read it', () => {
  const event: Event = {
    type: 'items.changed',
    items: [
      { kind: 'course', id: 3 },
      { kind: 'lesson', id: 7 },
    ],
  }
  // This line compiles only while every kind is plain data.
  const plain: Plain = event satisfies Event
  expect(JSON.parse(JSON.stringify(plain))).toEqual(event)
})
