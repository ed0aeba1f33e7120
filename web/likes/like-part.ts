/** What only the signed-in may do with an item, as a part of its views: guests never load it. */
import { personPart } from '#web/core/router/page-view.ts'

export const like = personPart('likes/LikeButton', async () => {
  const { LikeButton } = await import('#web/likes/LikeButton.tsx')
  return LikeButton
})
