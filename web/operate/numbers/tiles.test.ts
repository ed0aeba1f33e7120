import { expect, test } from 'vitest'
import type { EconomyDay } from '#contract/economy.ts'
import { readTiles } from '#web/operate/numbers/tiles.ts'

const day = (place: number, change: Partial<EconomyDay> = {}): EconomyDay => ({
  day: new Date(Date.UTC(2026, 0, 1 + place)).toISOString().slice(0, 10),
  supply: 0,
  debt: 0,
  made: { created: 100, rewardWithdrawn: -50 },
  spent: {},
  rewarded: 0,
  withheld: {},
  unlocks: 2,
  newcomers: 0,
  joinedWeekAgo: 0,
  unlockedInWeek: 0,
  daysToUnlock: null,
  gini: null,
  topShare: null,
  people: 100 + place,
  lessons: 1,
  messages: 0,
  mails: null,
  activePeople: null,
  failedJobs: null,
  ...change,
})
const tileOf = (days: readonly EconomyDay[], name: string) =>
  readTiles(days).find((tile) => tile.name === name)

const days = Array.from({ length: 60 }, (_, place) =>
  day(place, { unlocks: place < 30 ? 2 : 3, ...(place > 56 && { activePeople: place }) }),
)

test('a number is that of the last 30 days, with its change since the 30 days before', () => {
  expect(tileOf(days, 'economyUnlocks')).toMatchObject({ value: 90, change: 0.5 })
  expect(tileOf(days, 'numbersMade')).toMatchObject({ value: 1500, change: 0 })
  expect(tileOf(days, 'deskPeople')).toMatchObject({ value: 159, change: 30 / 129 })
})

test('active people are an average of the days on which they were counted', () => {
  expect(tileOf(days, 'numbersActive')).toMatchObject({
    value: 58,
    change: null,
    line: [57, 58, 59],
  })
})

test('a number that was never counted, and a change from nothing or a shorter period, are unknown', () => {
  expect(tileOf(days, 'numbersMails')).toMatchObject({ value: null, change: null, line: [] })
  expect(tileOf(days, 'chatMessages')).toMatchObject({ value: 0, change: null })
  expect(tileOf(days.slice(1), 'economyUnlocks')).toMatchObject({ value: 90, change: null })
})
