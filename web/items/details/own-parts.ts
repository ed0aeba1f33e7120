/** Parts of an item's views for the signed-in alone: guests, who have to register first, never load them. */
import { personPart } from '#web/core/router/page-view.ts'

/** What one may do with it besides sharing and liking. */
export const ownActs = personPart('items/details/OwnActs', async () => {
  const { OwnActs } = await import('#web/items/details/OwnActs.tsx')
  return OwnActs
})

/** The step that unlocks it. */
export const ownOffer = personPart('items/details/OwnOffer', async () => {
  const { OwnOffer } = await import('#web/items/details/OwnOffer.tsx')
  return OwnOffer
})
