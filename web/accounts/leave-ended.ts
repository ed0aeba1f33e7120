import { renew } from '#web/core/renewal.ts'
import { currentPerson, currentToken, leavePerson } from '#web/core/session.ts'

/** After a link that ends all sessions of its person: if this browser's was one of them, it is a guest's now. */
export async function leaveEnded(): Promise<void> {
  if (currentPerson() !== null && (await renew(currentToken())) === null) leavePerson()
}
