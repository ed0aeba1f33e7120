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

test('a guest may do nothing', () => {
  expect(rightsOf(null, locked)).toEqual(nothing)
})
test('a guest may see a free preview and no more', () => {
  expect(rightsOf(null, { ...locked, freePreview: true })).toEqual({ ...nothing, see: true })
})
test('a stranger may only buy and like', () => {
  expect(rightsOf(person('stranger'), locked)).toEqual({ ...nothing, buy: true, like: true })
})
test('an item can be liked only once', () => {
  expect(rightsOf(person('stranger'), { ...locked, liked: true }).like).toBe(false)
})
test('a like does not unlock an item', () => {
  expect(rightsOf(person('stranger'), { ...locked, liked: true })).toEqual({
    ...nothing,
    buy: true,
  })
})
test('a buyer sees, likes, comments and rates', () => {
  expect(rightsOf(person('buyer'), { ...locked, bought: true })).toEqual({
    ...nothing,
    see: true,
    like: true,
    comment: true,
    rate: true,
  })
})
test('a bought course opens its lesson without another purchase', () => {
  expect(rightsOf(person('buyer'), { ...locked, openThroughCourse: true })).toEqual({
    ...nothing,
    see: true,
    like: true,
    comment: true,
    rate: true,
  })
})
test('a free preview is seen but commented only after purchase', () => {
  expect(rightsOf(person('stranger'), { ...locked, freePreview: true })).toEqual({
    ...nothing,
    see: true,
    like: true,
    buy: true,
  })
})
test('an owner may do everything except buy, like and rate', () => {
  expect(rightsOf(person('owner'), locked)).toEqual({
    see: true,
    edit: true,
    delete: true,
    like: false,
    buy: false,
    comment: true,
    rate: false,
  })
})
test('an administrator may do what the owner may, and like', () => {
  expect(rightsOf(person('admin', { role: 'administrator' }), locked)).toEqual({
    ...rightsOf(person('owner'), locked),
    like: true,
  })
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
test('an administrator rates what they unlocked and nothing else', () => {
  const admin = person('admin', { role: 'administrator' })
  expect(rightsOf(admin, locked).rate).toBe(false)
  expect(rightsOf(admin, { ...locked, bought: true }).rate).toBe(true)
})
test('an administrator reads and deletes an item left to its buyers', () => {
  const admin = person('admin', { role: 'administrator' })
  const left: Entitlement = { ...locked, leftToBuyers: true }
  expect(rightsOf(admin, left)).toEqual({ ...nothing, see: true, delete: true })
  expect(rightsOf({ ...admin, suspended: true }, left)).toEqual({ ...nothing, see: true })
})
