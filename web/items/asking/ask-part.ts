/** The field of a question to the author, as a part of the views that place it: guests never load it. */
import { personPart } from '#web/core/router/page-view.ts'

export const ask = personPart('items/asking/AskForm', async () => {
  const { AskForm } = await import('#web/items/asking/AskForm.tsx')
  return AskForm
})
