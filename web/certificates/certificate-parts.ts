/** Parts of the certificate's page that guests never load. */
import { personPart } from '#web/core/router/page-view.ts'

/** What its owner may do with it, and an administrator. */
export const ownSteps = personPart('certificates/OwnSteps', async () => {
  const { OwnSteps } = await import('#web/certificates/OwnSteps.tsx')
  return OwnSteps
})
