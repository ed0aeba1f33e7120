import { renew } from '#web/core/renewal.ts'
import { currentPerson, currentToken, leavePerson } from '#web/core/session.ts'

/** For links that end all sessions of a person. If this browser's session was one of them, its user becomes a guest. */
export async function leaveEndedSession(): Promise<void> {
  if (currentPerson() !== null && (await renew(currentToken())) === null) leavePerson()
}
