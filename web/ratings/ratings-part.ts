import { partAtNeed } from '#web/core/router/part-at-need.tsx'

/** What people who unlocked an item think of it, below it; its list and its form are fetched at need. */
export const ratingsPart = partAtNeed('ratings/Ratings', async () => {
  const { Ratings } = await import('#web/ratings/Ratings.tsx')
  return Ratings
})
