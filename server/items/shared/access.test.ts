import { expect, test } from 'vitest'
import type { Viewer } from '#server/kernel/call.ts'
import { isThere, rightsOf, type Entitlement } from '#server/items/shared/access.ts'

const person = (id: string, change: Partial<Viewer> = {}): Viewer => ({
  id,
  username: id,
  role: 'user',
  suspended: false,
  sessionId: 's',
  wroteLately: false,
  ...change,
})
const locked: Entitlement = { ownerId: 'owner', bought: false }
const nothing = {
  see: false,
  edit: false,
  delete: false,
  like: false,
  buy: false,
  comment: false,
  rate: false,
}
const stranger = person('stranger')
const buyer = person('buyer')
const admin = person('admin', { role: 'administrator' })
const preview = { ...locked, freePreview: true }
const bought = { ...locked, bought: true }
const reader = { ...nothing, see: true, like: true, comment: true, rate: true }
const owner = { ...nothing, see: true, edit: true, delete: true, comment: true }

test.each<[string, Viewer | null, Entitlement, object]>([
  ['a guest may do nothing', null, locked, nothing],
  ['a guest may see a free preview and no more', null, preview, { ...nothing, see: true }],
  ['a stranger may only buy and like', stranger, locked, { ...nothing, buy: true, like: true }],
  [
    'an item can be liked only once, which does not unlock it',
    stranger,
    { ...locked, liked: true },
    { ...nothing, buy: true },
  ],
  ['a buyer sees, likes, comments and rates', buyer, bought, reader],
  [
    'a bought course opens its lesson without another purchase',
    buyer,
    { ...locked, openThroughCourse: true },
    reader,
  ],
  [
    'a free preview is seen but commented only after purchase',
    stranger,
    preview,
    { ...nothing, see: true, like: true, buy: true },
  ],
  ['an owner may do everything except buy, like and rate', person('owner'), locked, owner],
  ['an administrator may do what the owner may, and like', admin, locked, { ...owner, like: true }],
  [
    'an administrator rates what they unlocked',
    admin,
    bought,
    { ...owner, like: true, rate: true },
  ],
])('%s', (_, viewer, entitlement, rights) => {
  expect(rightsOf(viewer, entitlement)).toEqual(rights)
})

test('a suspended person reads what they could read and changes nothing', () => {
  expect(rightsOf(person('owner', { suspended: true }), locked)).toEqual({ ...nothing, see: true })
  expect(rightsOf(person('buyer', { suspended: true }), { ...locked, bought: true })).toEqual({
    ...nothing,
    see: true,
  })
  expect(rightsOf(person('stranger', { suspended: true }), locked)).toEqual(nothing)
})
test('an item left to its buyers can only be read, and only by them', () => {
  const left: Entitlement = { ...locked, leftToBuyers: true, freePreview: true }
  for (const how of [{ bought: true }, { openThroughCourse: true }]) {
    expect(rightsOf(person('buyer'), { ...left, ...how })).toEqual({ ...nothing, see: true })
    expect(isThere(person('buyer'), { ...left, ...how })).toBe(true)
  }
  for (const viewer of [null, person('stranger')]) {
    expect(rightsOf(viewer, left)).toEqual(nothing)
    expect(isThere(viewer, left)).toBe(false)
  }
})
test('an administrator reads and deletes an item left to its buyers', () => {
  const left: Entitlement = { ...locked, leftToBuyers: true }
  expect(rightsOf(admin, left)).toEqual({ ...nothing, see: true, delete: true })
  expect(rightsOf({ ...admin, suspended: true }, left)).toEqual({ ...nothing, see: true })
})
