import { randomBytes } from 'node:crypto'
import type { OidcFinish, Waiting } from '#contract/identities.ts'
import type * as z from 'zod/mini'
import type { SignedIn } from '#server/people/accounts/accounts.ts'
import { requireCode, type CodeNeeds } from '#server/people/accounts/factors/codes.ts'
import type { Flow } from '#server/people/accounts/oidc/flow-cookie.ts'
import { FLOW_MS } from '#server/people/accounts/oidc/flow-cookie.ts'
import { addIdentity } from '#server/people/accounts/oidc/identities.ts'
import type { Claims, Providers } from '#server/people/accounts/oidc/providers.ts'
import {
  deleteFlow,
  findByConfirmedEmail,
  findHolder,
  findWaiting,
  insertFlow,
  noteIdentityUse,
  takeReturn,
  writeClaims,
  type WaitingFlow,
} from '#server/people/accounts/oidc/store.ts'
import { provePerson } from '#server/people/accounts/passkeys/sign-in.ts'
import type { CeremonyNeeds } from '#server/people/accounts/passkeys/ceremony.ts'
import { verifyPassword } from '#server/people/accounts/passwords.ts'
import type { Devices } from '#server/people/accounts/sessions/devices.ts'
import {
  createSession,
  findLiveSessions,
  SIGNED_IN,
} from '#server/people/accounts/sessions/sessions.ts'
import { findByMailAddress } from '#server/people/accounts/store.ts'
import type { CallContext } from '#server/kernel/call.ts'
import { invalidField, Refusal } from '#server/kernel/errors.ts'
import type { ProviderSettings } from '#server/kernel/settings/oidc-settings.ts'
import { networkOf } from '#server/kernel/network.ts'
import { foldCase } from '#server/kernel/text/fold.ts'

export interface OidcNeeds extends CodeNeeds, CeremonyNeeds {
  readonly providers: Providers
  readonly devices: Devices
}

/** Reasons to send a browser back to the login, which shows a sentence for each. */
export type Refused = 'ended' | 'foreign' | 'noEmail' | 'taken' | 'away' | 'denied' | 'wrong'

export type Returned =
  | { readonly kind: 'in'; readonly signedIn: SignedIn; readonly next: string }
  | { readonly kind: 'asks'; readonly next: string }
  | { readonly kind: 'added' }
  | { readonly kind: 'refused'; readonly why: Refused; readonly ofAccount: boolean }

const text = () => randomBytes(32).toString('base64url')

/**
 * @param holder the account to which another identity is added
 * @throws ProviderFailure, Refusal 429
 */
export async function beginAtProvider(
  { db, clock, providers, throttle }: OidcNeeds,
  provider: ProviderSettings,
  { id, state }: Flow,
  about: {
    readonly address: string
    readonly holder: { readonly userId: string; readonly sessionId: string } | null
    readonly next: string
    readonly invitation?: Buffer | null
  },
): Promise<URL> {
  await throttle.countHourly('challenge', about.address)
  const secrets = { state, nonce: text(), verifier: text() }
  const address = await providers.begin(provider, secrets)
  const expiresAt = new Date(clock.now().getTime() + FLOW_MS)
  const { holder, next, invitation = null } = about
  const { issuer } = provider
  await insertFlow(db, { id, issuer, holder, next, invitation, expiresAt, ...secrets })
  return address
}

/** Handles a provider's callback. @throws ProviderFailure */
export async function returnFromProvider(
  needs: OidcNeeds,
  provider: ProviderSettings,
  { id, state }: Flow,
  url: URL,
  agent: string,
): Promise<Returned> {
  const { db, clock, providers } = needs
  const flow = await takeReturn(db, id, clock.now())
  if (flow === undefined || flow.issuer !== provider.issuer)
    return { kind: 'refused', why: 'ended', ofAccount: false }
  const { issuer, nonce, verifier, next, userId, sessionId } = flow
  const claims = await providers.finish(provider, url, { state, nonce, verifier })
  if (userId !== null) {
    const isOver =
      sessionId === null ||
      !(await findLiveSessions(db, [sessionId], { now: clock.now() })).has(sessionId)
    if (isOver) return { kind: 'refused', why: 'ended', ofAccount: true }
    const isAdded = await addIdentity(needs, userId, { issuer, claims })
    await deleteFlow(db, id)
    return isAdded ? { kind: 'added' } : { kind: 'refused', why: 'foreign', ofAccount: true }
  }
  const holder = await findHolder(db, issuer, claims.subject)
  if (holder !== undefined && holder.factorSince === null) {
    await deleteFlow(db, id)
    const signedIn = await enter(needs, holder.id, { issuer, claims }, agent)
    return { kind: 'in', signedIn, next }
  }
  if (holder === undefined) {
    const why = await refusalOf(needs, claims)
    if (why !== null) return { kind: 'refused', why, ofAccount: false }
  }
  await writeClaims(db, id, claims)
  return { kind: 'asks', next }
}

/** Returns why a new person can't get an account: they have no address, or it may be somebody else's. */
async function refusalOf({ db }: OidcNeeds, claims: Claims): Promise<Refused | null> {
  if (claims.email === null) return 'noEmail'
  if (claims.emailVerified && (await findByConfirmedEmail(db, claims.email)) !== undefined)
    return null
  return (await findByMailAddress(db, claims.email)) === null ? null : 'taken'
}

async function enter(
  { db, clock, log }: OidcNeeds,
  userId: string,
  { issuer, claims }: Pick<WaitingFlow, 'issuer' | 'claims'>,
  agent: string,
): Promise<SignedIn> {
  const now = clock.now()
  await noteIdentityUse(db, issuer, claims, now)
  log.info({ person: userId, by: issuer }, SIGNED_IN)
  const by = { issuer, sid: claims.sid }
  return { ...(await createSession(db, userId, agent, now, by)), userId }
}

/** Returns the account that a waiting sign-in leads to, if any; `join` means that the identity is new to it. */
async function personOf({ db }: OidcNeeds, { issuer, claims }: WaitingFlow) {
  const holder = await findHolder(db, issuer, claims.subject)
  if (holder !== undefined) return { ...holder, passwordHash: null, step: 'code' as const }
  const owner =
    claims.email !== null && claims.emailVerified
      ? await findByConfirmedEmail(db, claims.email)
      : undefined
  return owner === undefined ? null : { ...owner, step: 'join' as const }
}

/** @throws Refusal 404 when no sign-in waits in this browser */
export async function readWaiting(needs: OidcNeeds, flow: Flow | null): Promise<Waiting> {
  const waiting = await requireWaiting(needs, flow)
  const person = await personOf(needs, waiting)
  const provider = needs.providers.list.find(({ issuer }) => issuer === waiting.issuer)
  return {
    step: person?.step ?? 'register',
    provider: provider?.name ?? waiting.issuer,
    username: person?.username ?? null,
    label: waiting.claims.label,
    suggested: waiting.claims.suggested,
    asksCode: person !== null && person.factorSince !== null,
    next: waiting.next,
  }
}

/** @throws Refusal 404 when no sign-in waits in this browser */
export async function requireWaiting(
  { db, clock }: OidcNeeds,
  flow: Flow | null,
): Promise<WaitingFlow> {
  const waiting = flow === null ? undefined : await findWaiting(db, flow.id, clock.now())
  if (waiting === undefined) throw new Refusal(404, 'oidcEnded')
  return waiting
}

/**
 * Completes a waiting sign-in to an existing account: with its password, if the identity is to join it, and with a
 * second factor or one of its passkeys.
 * @throws Refusal 400 or 401 at the fields, 404 when nothing waits, 409 when the identity already belongs to
 * somebody, 429
 */
export async function finishWaiting(
  needs: OidcNeeds,
  flow: Flow | null,
  given: z.output<typeof OidcFinish>,
  context: Pick<CallContext, 'address' | 'agent' | 'cookies'>,
): Promise<SignedIn> {
  const waiting = await requireWaiting(needs, flow)
  const person = await personOf(needs, waiting)
  if (flow === null || person === null) throw new Refusal(404, 'oidcEnded')
  if (given.credential !== undefined)
    await provePerson(needs, person.id, given.credential, context.address)
  else {
    const device = needs.devices.knownTo(person.id, context.cookies)
    if (person.step === 'join') await checkPassword(needs, person, given.password, device, context)
    if (person.factorSince !== null)
      await requireCode(needs, { userId: person.id, known: device }, given.code, 401)
  }
  if (!(await deleteFlow(needs.db, flow.id))) throw new Refusal(404, 'oidcEnded')
  const isAdded = person.step !== 'join' || (await addIdentity(needs, person.id, waiting))
  if (!isAdded) throw new Refusal(409, 'oidcForeign')
  return enter(needs, person.id, waiting, context.agent)
}

/** Counts as an attempt at the login. */
async function checkPassword(
  { throttle }: OidcNeeds,
  person: { readonly username: string; readonly passwordHash: string | null },
  password: string | undefined,
  device: string | null,
  { address }: Pick<CallContext, 'address'>,
): Promise<void> {
  if (password === undefined) throw invalidField('password', 'enterPassword')
  const attempt = { account: foldCase(person.username), address, device }
  await throttle.beginAttempt(attempt)
  const asker = device === null ? networkOf(address) : { known: device }
  if (!(await verifyPassword(person.passwordHash ?? undefined, password, asker)))
    throw new Refusal(401, 'passwordWrong', { fields: { password: 'passwordWrong' } })
  await throttle.endAttempt(attempt)
}
