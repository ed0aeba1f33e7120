import { expect, test } from 'vitest'
import { createChanges, type Change } from '#server/platform/events/changes.ts'

type Plain =
  | string
  | number
  | boolean
  | null
  | readonly Plain[]
  | { readonly [name: string]: Plain }

const erased: Change = { kind: 'personErased', userId: 'a' }

test('every subscriber gets each change, in the order of subscription', () => {
  const heard: string[] = []
  const changes = createChanges({ error: () => undefined })
  changes.publish(erased)
  changes.subscribe(({ kind }) => heard.push(`first ${kind}`))
  changes.subscribe(({ kind }) => heard.push(`second ${kind}`))
  changes.publish(erased)
  expect(heard).toEqual(['first personErased', 'second personErased'])
})

test('an exception in a subscriber is logged and does not affect the others', () => {
  const logged: unknown[] = []
  const heard: Change[] = []
  const changes = createChanges({ error: (line: unknown) => void logged.push(line) })
  const broken = new Error('broken')
  changes.subscribe(() => {
    throw broken
  })
  changes.subscribe((change) => heard.push(change))
  expect(() => changes.publish(erased)).not.toThrow()
  expect(heard).toEqual([erased])
  expect(logged).toEqual([{ err: broken, change: 'personErased' }])
})

test('a change survives JSON, so another node can read it', () => {
  const change: Change = {
    kind: 'itemsChanged',
    items: [
      { kind: 'course', id: 3 },
      { kind: 'lesson', id: 7 },
    ],
  }
  // This line compiles only while every kind is plain data.
  const plain: Plain = change satisfies Change
  expect(JSON.parse(JSON.stringify(plain))).toEqual(change)
})
