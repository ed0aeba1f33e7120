/** Following an item's author, as a part of its views: guests never load it. */
import { personPart } from '#web/core/router/page-view.ts'

export const followAuthor = personPart('follows/FollowAuthor', async () => {
  const { FollowAuthor } = await import('#web/follows/FollowAuthor.tsx')
  return FollowAuthor
})
