/** The two ceremonies of WebAuthn: registration and authentication. */
import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import type {
  CreationOptions,
  NewCredential,
  RequestOptions,
  UsedCredential,
} from '#contract/passkeys.ts'
import {
  insertChallenge,
  takeChallenge,
  type ChallengeHolder,
  type NewPasskey,
  type Purpose,
  type StoredPasskey,
} from '#server/people/accounts/passkeys/store.ts'
import type { Db } from '#server/platform/db/connect.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { conflict, Refusal } from '#server/kernel/errors.ts'
import type { Log } from '#server/kernel/log.ts'
import type { Current } from '#server/kernel/settings/site-settings.ts'

export interface CeremonyNeeds {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  readonly publicUrl: string
  readonly settings: Current<'names'>
}

/** In ms: long enough to find a phone; a page that waits longer asks for a new one. */
const CHALLENGE_MS = 5 * 60 * 1000
/** In ms: a little less, so that the browser gives up first. */
const TIMEOUT_MS = 4 * 60 * 1000
const CHALLENGE_BYTES = 32
/** Ed25519, ES256 and RS256: every authenticator supports one of them. */
const ALGORITHMS = [-8, -7, -257]
/** The flag in the authenticator data that a PIN, a finger or a face was checked. */
const USER_VERIFIED = 0b100
/** The flags follow the hash of the relying party's id. */
const FLAGS_AT = 32

/** With its certificates it costs 30 MB and 150 ms, so it is loaded only when somebody uses a passkey. */
const library = () => import('@simplewebauthn/server')

/** Browsers create passkeys only for a host name over https, or over http on the same machine. */
export function admitsPasskeys(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl)
  if (isIP(hostname) !== 0 || hostname.startsWith('[')) return false
  return protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost')
}

/** @throws Refusal 409 when the site's address allows no passkeys */
export function requirePasskeys({ publicUrl }: Pick<CeremonyNeeds, 'publicUrl'>): void {
  if (!admitsPasskeys(publicUrl)) throw conflict('passkeysOff', { address: publicUrl })
}

/** The relying party's id. */
export const siteId = (publicUrl: string): string => new URL(publicUrl).hostname

/** Authenticators store this id to tell the accounts of a site apart. */
export const userHandle = (userId: string): Buffer => Buffer.from(userId.replaceAll('-', ''), 'hex')

type Known = Pick<StoredPasskey, 'credential' | 'transports'>
const describe = ({ credential, transports }: Known) => ({
  id: credential.toString('base64url'),
  type: 'public-key' as const,
  transports,
})

async function newChallenge(
  { db, clock }: CeremonyNeeds,
  purpose: Purpose,
  holder: ChallengeHolder | null,
): Promise<string> {
  const challenge = randomBytes(CHALLENGE_BYTES)
  const end = new Date(clock.now().getTime() + CHALLENGE_MS)
  await insertChallenge(db, challenge, purpose, holder, end)
  return challenge.toString('base64url')
}

/** `known` are the passkeys that the person has. */
export async function creationOptions(
  needs: CeremonyNeeds,
  holder: ChallengeHolder & { readonly username: string },
  known: readonly Known[],
): Promise<CreationOptions> {
  return {
    challenge: await newChallenge(needs, 'add', holder),
    rp: { id: siteId(needs.publicUrl), name: needs.settings.current.names.en.site },
    user: {
      id: userHandle(holder.userId).toString('base64url'),
      name: holder.username,
      displayName: holder.username,
    },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' as const })),
    timeout: TIMEOUT_MS,
    attestation: 'none',
    excludeCredentials: known.map(describe),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
  }
}

/** Asks for one of `known`, or for any passkey of the site if it is empty. */
export async function requestOptions(
  needs: CeremonyNeeds,
  purpose: 'signIn' | 'confirm',
  holder: ChallengeHolder | null,
  known: readonly Known[] = [],
): Promise<RequestOptions> {
  return {
    challenge: await newChallenge(needs, purpose, holder),
    rpId: siteId(needs.publicUrl),
    timeout: TIMEOUT_MS,
    userVerification: 'required',
    allowCredentials: known.map(describe),
  }
}

/**
 * Verifies a new passkey.
 * @throws Refusal 400 with the reason as a sentence
 */
export async function verifyRegistration(
  needs: CeremonyNeeds,
  holder: ChallengeHolder,
  credential: NewCredential,
): Promise<Omit<NewPasskey, 'name'>> {
  const { challenge } = await readClientData(needs, credential, 'add', holder, 400)
  const { verifyRegistrationResponse } = await library()
  const verified = await verifyRegistrationResponse({
    response: {
      ...credential,
      response: { ...credential.response, transports: [] },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: needs.publicUrl,
    expectedRPID: siteId(needs.publicUrl),
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch((error: unknown) => {
    needs.log.warn({ err: error }, 'a new passkey was refused')
    return { verified: false as const, registrationInfo: undefined }
  })
  const { registrationInfo } = verified
  if (!verified.verified || registrationInfo === undefined) throw new Refusal(400, 'passkeyWrong')
  const { publicKey, counter, id } = registrationInfo.credential
  return {
    credential: Buffer.from(id, 'base64url'),
    cose: Buffer.from(publicKey),
    counter,
    transports: credential.response.transports ?? [],
    synced: registrationInfo.credentialBackedUp,
  }
}

/**
 * Verifies the use of a passkey by its signature. Uses up the challenge in any case.
 * @param find the passkey with a credential's id
 * @param status 401 at the sign-in; 400 for a session, which a refused passkey doesn't end
 * @throws Refusal of that status with the reason as a sentence
 */
export async function verifyAuthentication(
  needs: CeremonyNeeds,
  purpose: 'signIn' | 'confirm',
  holder: ChallengeHolder | null,
  credential: UsedCredential,
  find: (credential: Buffer) => Promise<StoredPasskey | undefined>,
): Promise<{ passkey: StoredPasskey; counter: number; synced: boolean }> {
  const status = purpose === 'signIn' ? 401 : 400
  const { challenge } = await readClientData(needs, credential, purpose, holder, status)
  const passkey = await find(Buffer.from(credential.id, 'base64url'))
  const { userHandle: handle = null, ...signed } = credential.response
  if (
    passkey === undefined ||
    (handle !== null && handle !== userHandle(passkey.userId).toString('base64url'))
  )
    throw new Refusal(status, 'passkeyUnknown')
  const flags = Buffer.from(credential.response.authenticatorData, 'base64url')[FLAGS_AT] ?? 0
  if ((flags & USER_VERIFIED) === 0) throw new Refusal(status, 'passkeyUnverified')
  const { verifyAuthenticationResponse } = await library()
  const verified = await verifyAuthenticationResponse({
    response: {
      ...credential,
      response: signed,
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: needs.publicUrl,
    expectedRPID: siteId(needs.publicUrl),
    requireUserVerification: true,
    // The statement that writes the counter compares it.
    credential: { id: credential.id, publicKey: new Uint8Array(passkey.cose), counter: 0 },
  }).catch((error: unknown) => {
    needs.log.warn({ err: error, person: passkey.userId }, 'a passkey was refused')
    return null
  })
  if (verified?.verified !== true) throw new Refusal(status, 'passkeyWrong')
  const { newCounter, credentialBackedUp } = verified.authenticationInfo
  return { passkey, counter: newCounter, synced: credentialBackedUp }
}

/**
 * Uses up the challenge of a response and reads for which page it was made.
 * @throws Refusal when there is no such challenge (any more), or the page isn't ours
 */
async function readClientData(
  { db, clock, publicUrl }: CeremonyNeeds,
  { response }: { readonly response: { readonly clientDataJSON: string } },
  purpose: Purpose,
  holder: ChallengeHolder | null,
  status: 400 | 401,
): Promise<{ challenge: string }> {
  const { challenge, origin } = clientData(response.clientDataJSON)
  if (challenge === null) throw new Refusal(status, 'passkeyWrong')
  const given = Buffer.from(challenge, 'base64url')
  if (!(await takeChallenge(db, given, purpose, holder, clock.now())))
    throw new Refusal(status, 'passkeyEnded')
  if (origin !== publicUrl)
    throw new Refusal(status, 'passkeyForeign', { values: { address: publicUrl } })
  return { challenge }
}

function clientData(encoded: string): { challenge: string | null; origin: string | null } {
  const nothing = { challenge: null, origin: null }
  try {
    const read: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'))
    if (typeof read !== 'object' || read === null) return nothing
    const textOf = (value: unknown) => (typeof value === 'string' ? value : null)
    return {
      challenge: textOf('challenge' in read ? read.challenge : null),
      origin: textOf('origin' in read ? read.origin : null),
    }
  } catch {
    return nothing
  }
}
