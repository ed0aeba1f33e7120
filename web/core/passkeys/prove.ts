/** The browser's part of passkeys. Import it dynamically: guests' pages work without it. */
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

/** Thrown if the browser does not support passkeys. */
export class NoPasskeys extends Error {}

/** Throws NoPasskeys, and the browser's errors (see words.ts). */
export async function makePasskey(optionsJSON: CreationOptions): Promise<NewCredential> {
  if (!browserSupportsWebAuthn()) throw new NoPasskeys()
  const { id, rawId, type, response } = await startRegistration({ optionsJSON })
  const { clientDataJSON, attestationObject, transports = [] } = response
  return { id, rawId, type, response: { clientDataJSON, attestationObject, transports } }
}

/**
 * With `autofill`, the browser offers passkeys in the autofill of the name field, and this throws if another request
 * starts or the page is left. Throws NoPasskeys, and the browser's errors (see words.ts).
 */
export async function provePasskey(
  optionsJSON: RequestOptions,
  autofill = false,
): Promise<UsedCredential> {
  if (!browserSupportsWebAuthn()) throw new NoPasskeys()
  const { id, rawId, type, response } = await startAuthentication({
    optionsJSON,
    useBrowserAutofill: autofill,
  })
  const { clientDataJSON, authenticatorData, signature, userHandle = null } = response
  return { id, rawId, type, response: { clientDataJSON, authenticatorData, signature, userHandle } }
}

/** Whether the browser offers passkeys in autofill. */
export const supportsAutofill = (): Promise<boolean> => browserSupportsWebAuthnAutofill()

export const stopWaiting = (): void => WebAuthnAbortService.cancelCeremony()
