/** What readers leave on an item, as a part that comes at need: who only reads the item need not wait for it. */
import { partAtNeed } from '#web/core/router/part-at-need.tsx'

export const responses = partAtNeed('items/details/ItemResponses', async () => {
  const { ItemResponses } = await import('#web/items/details/ItemResponses.tsx')
  return ItemResponses
})
