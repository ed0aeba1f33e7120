/** What the browser does for a passkey. To be fetched at need: guests' pages work without it. */
import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import type {
  CreationOptions,
  NewCredential,
  RequestOptions,
  UsedCredential,
} from '#contract/passkeys.ts'

/** Thrown where a browser has no passkeys at all. */
export class NoPasskeys extends Error {}

/** Asks the person to make a passkey. @throws NoPasskeys, and what the browser throws (see words.ts) */
export async function makePasskey(optionsJSON: CreationOptions): Promise<NewCredential> {
  if (!browserSupportsWebAuthn()) throw new NoPasskeys()
  const { id, rawId, type, response } = await startRegistration({ optionsJSON })
  const { clientDataJSON, attestationObject, transports = [] } = response
  return { id, rawId, type, response: { clientDataJSON, attestationObject, transports } }
}

/**
 * Asks the person to unlock a passkey. `quietly`: among what the browser offers to fill in at the field of the name; it
 * waits until they pick one there, and throws when something else is begun or the page is left.
 * @throws NoPasskeys, and what the browser throws (see words.ts)
 */
export async function provePasskey(
  optionsJSON: RequestOptions,
  quietly = false,
): Promise<UsedCredential> {
  if (!browserSupportsWebAuthn()) throw new NoPasskeys()
  const { id, rawId, type, response } = await startAuthentication({
    optionsJSON,
    useBrowserAutofill: quietly,
  })
  const { clientDataJSON, authenticatorData, signature, userHandle = null } = response
  return { id, rawId, type, response: { clientDataJSON, authenticatorData, signature, userHandle } }
}

/** Whether the browser offers passkeys where a name is entered. */
export const offersQuietly = (): Promise<boolean> => browserSupportsWebAuthnAutofill()

/** Ends what waits for the person, if anything does. */
export const stopWaiting = (): void => WebAuthnAbortService.cancelCeremony()
