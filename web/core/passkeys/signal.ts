/**
 * Tells password managers which passkeys exist and what the user's name is, where browsers have the WebAuthn Signal
 * API.
 */
import { sendSignal } from '@simplewebauthn/browser'
import { passkeys } from '#contract/passkeys.ts'
import { api } from '#web/core/api.ts'
import { currentPerson } from '#web/core/session.ts'

export interface UnknownPasskey {
  readonly rpId: string
  readonly credentialId: string
}

/** Reports that no account has this passkey. */
export async function signalUnknown({ rpId, credentialId }: UnknownPasskey): Promise<void> {
  await Promise.allSettled([
    sendSignal({ signalName: 'unknownCredential', rpID: rpId, credentialID: credentialId }),
  ])
}

/** Reports which passkeys the user has, and their name. */
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

/** Call it before an account is erased. The returned function reports afterwards that its passkeys are gone. */
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
