/** The self-check of a lesson, as a part of the views that place it: guests never load it. */
import { personPart } from '#web/core/router/page-view.ts'

export const selfCheck = personPart('checks/SelfCheck', async () => {
  const { SelfCheck } = await import('#web/checks/SelfCheck.tsx')
  return SelfCheck
})
