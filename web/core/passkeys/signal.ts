/**
 * Tells the browser's password manager what has become of passkeys, so that it stops offering those that are gone and
 * shows the present name (WebAuthn Signal API). Browsers without it are left alone. To be fetched at need.
 */
import { sendSignal } from '@simplewebauthn/browser'
import { passkeys } from '#contract/passkeys.ts'
import { api } from '#web/core/api.ts'
import { currentPerson } from '#web/core/session.ts'

/** A passkey that the server did not know. */
export interface UnknownPasskey {
  readonly rpId: string
  readonly credentialId: string
}

/** Says that no account has this passkey. */
export async function signalUnknown({ rpId, credentialId }: UnknownPasskey): Promise<void> {
  await Promise.allSettled([
    sendSignal({ signalName: 'unknownCredential', rpID: rpId, credentialID: credentialId }),
  ])
}

/** Says which passkeys the person has, and their name. */
export async function signalPasskeys(): Promise<void> {
  const signal = await readSignal()
  const username = currentPerson()?.username
  if (signal === null || username === undefined) return
  const { rpId: rpID, userId: userID, credentials: allAcceptedCredentialIDs } = signal
  const details = { rpID, userID, userName: username, userDisplayName: username }
  await Promise.allSettled([
    sendSignal({ signalName: 'allAcceptedCredentials', rpID, userID, allAcceptedCredentialIDs }),
    sendSignal({ signalName: 'currentUserDetails', ...details }),
  ])
}

/** To be called before an account is erased. Returns what says afterwards that its passkeys are gone. */
export async function prepareGone(): Promise<() => Promise<void>> {
  const signal = await readSignal()
  return async () => {
    if (signal === null) return
    const of = { rpID: signal.rpId, userID: signal.userId, allAcceptedCredentialIDs: [] }
    await Promise.allSettled([sendSignal({ signalName: 'allAcceptedCredentials', ...of })])
  }
}

async function readSignal() {
  try {
    return (await api(passkeys.list, {})).signal
  } catch {
    return null
  }
}
