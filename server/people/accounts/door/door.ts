/** Decides who may register, by form and by provider alike. Nobody passes here to sign in. */
import { createHash, randomBytes } from 'node:crypto'
import { domainToASCII } from 'node:url'
import type { Db, Tx } from '#server/platform/db/connect.ts'
import type { Clock } from '#server/kernel/clock.ts'
import { forbidden } from '#server/kernel/errors.ts'
import type { Current } from '#server/kernel/settings/site-settings.ts'
import {
  findState,
  insertInvited,
  insertInvitation,
  takeUse,
} from '#server/people/accounts/door/store.ts'

export type DoorSettings = Current<'REGISTRATION' | 'REGISTRATION_DOMAINS'>['current']

export const hashOfToken = (token: string): Buffer => createHash('sha256').update(token).digest()

interface Newcomer {
  readonly email: string
  /** The hash of an invitation's token. */
  readonly invitation: Buffer | null
}

/**
 * Refuses a registration early, before its password is hashed. It uses nothing up.
 * @throws Refusal 403 `registrationClosed`, `invitationNeeded`
 */
export async function refuseEarly(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  door: DoorSettings,
  { email, invitation }: Newcomer,
): Promise<void> {
  if (isOpenTo(door, email)) return
  if (door.REGISTRATION === 'closed' || invitation === null) throw refusalOf(door)
  if ((await findState(db, invitation, clock.now())) !== 'valid') throw refusalOf(door)
}

/**
 * Lets a person who has just been inserted in, and takes a use of their invitation.
 * @throws Refusal 403 as `refuseEarly`, which must end the transaction
 */
export async function passDoor(
  tx: Tx,
  door: DoorSettings,
  { userId, email, invitation, now }: Newcomer & { readonly userId: string; readonly now: Date },
): Promise<void> {
  const used =
    door.REGISTRATION === 'closed' || invitation === null
      ? null
      : await takeUse(tx, invitation, now)
  if (used !== null) return insertInvited(tx, userId, used)
  if (!isOpenTo(door, email)) throw refusalOf(door)
}

function isOpenTo(
  { REGISTRATION: door, REGISTRATION_DOMAINS: domains }: DoorSettings,
  email: string,
) {
  if (door !== 'domain') return door === 'open'
  const domain = asciiDomain(email.slice(email.lastIndexOf('@') + 1))
  return domain !== '' && domains.some((each) => asciiDomain(each) === domain)
}

/** Returns the form in which domains are compared, with international letters as `xn--`; '' if it is none. */
const asciiDomain = (domain: string): string => domainToASCII(domain.toLowerCase())

const refusalOf = ({ REGISTRATION: door }: DoorSettings) =>
  forbidden(door === 'closed' ? 'registrationClosed' : 'invitationNeeded')

const DAY_MS = 24 * 60 * 60 * 1000

/** Returns the token, of which only the hash is stored. */
export async function createInvitation(
  tx: Tx,
  { inviterId, uses, days, now }: { inviterId: string; uses: number; days: number; now: Date },
): Promise<{ id: number; token: string }> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(now.getTime() + days * DAY_MS)
  const id = await insertInvitation(tx, {
    hash: hashOfToken(token),
    inviterId,
    uses,
    createdAt: now,
    expiresAt,
  })
  return { id, token }
}
