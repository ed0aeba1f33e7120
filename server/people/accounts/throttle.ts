/**
 * Slows down guessing and limits actions per hour. Nobody waits because of others: a stranger's attempts count for
 * their address, and for the account at that address; a known device and a session have counts of their own. A
 * wait lasts at most a minute, and attempts during it don't extend it.
 */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/connect.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Config } from '#server/kernel/config.ts'
import { tooMany } from '#server/kernel/errors.ts'
import type { Log } from '#server/kernel/log.ts'
import { networkOf } from '#server/kernel/network.ts'

/** Failures before the first wait; an address may be shared by a whole school. */
const FREE_BY_ACCOUNT = 5
const FREE_BY_ADDRESS = 30
const LONGEST_WAIT = 60
/** In ms; older failures no longer count. */
const FORGET_MS = 15 * 60 * 1000
const HOUR_MS = 60 * 60 * 1000
/**
 * Maximum per hour. `register`, `forgot` and `challenge` (which each visit to the login may need) count per
 * network, the others per person; `code` counts strangers' codes of the second factor, `token` new access tokens.
 */
const HOURLY = {
  register: 20,
  forgot: 5,
  challenge: 2000,
  confirm: 3,
  address: 5,
  code: 20,
  token: 10,
} as const

interface ThrottleNeeds {
  readonly db: Db
  readonly clock: Clock
  readonly log: Log
  readonly config: Pick<Config, 'RATE_LIMITS'>
}

/** A sign-in. `device` is the id of a device on which this person has signed in, or null. */
interface SignInAttempt {
  readonly account: string
  readonly address: string
  readonly device: string | null
}

/** A signed-in person who must repeat the password. */
interface SessionAttempt {
  readonly session: string
}

/** A code of the second factor, after the password. `known` is a device or session of the person, or null. */
interface FactorAttempt {
  readonly factorOf: string
  readonly known: string | null
}

/** A passkey at the login: it names nobody before it is verified, and nobody can guess one. */
interface PasskeyAttempt {
  readonly passkeyFrom: string
}

type Attempt = SignInAttempt | SessionAttempt | FactorAttempt | PasskeyAttempt

export interface Throttle {
  /**
   * Counts an attempt as failed before it is checked, so that concurrent attempts count too. @throws Refusal 429
   */
  beginAttempt(attempt: Attempt): Promise<void>
  /** Removes the count of a successful attempt. */
  endAttempt(attempt: Attempt): Promise<void>
  /** Deletes the failures of an account with a new password. */
  forgetFailures(account: string): Promise<void>
  /** `who` is a caller's address or a person's id. @throws Refusal 429 above the hourly maximum */
  countHourly(what: keyof typeof HOURLY, who: string): Promise<void>
}

const accountSubject = (account: string) => `account:${digest(account)}`
const addressSubject = (address: string) => `address:${networkOf(address)}`

/** `address` is null where the address doesn't matter. */
function subjectsOf(attempt: Attempt): {
  own: string
  free?: number
  address: string | null
} {
  if ('session' in attempt) return { own: `session:${attempt.session}`, address: null }
  // Counts separately from passwords: failures here must not make a whole school wait there.
  if ('passkeyFrom' in attempt) {
    const own = `passkey:${networkOf(attempt.passkeyFrom)}`
    return { own, free: FREE_BY_ADDRESS, address: null }
  }
  // Strangers share one count, whatever their addresses, so that somebody who knows the password can't try all
  // codes.
  if ('factorOf' in attempt) {
    const known = attempt.known === null ? '' : `:${digest(attempt.known)}`
    return { own: `factor:${attempt.factorOf}${known}`, address: null }
  }
  const account = accountSubject(attempt.account)
  if (attempt.device !== null)
    return { own: `${account}:device:${digest(attempt.device)}`, address: null }
  const address = addressSubject(attempt.address)
  return { own: `${account}:${address}`, address }
}

/** Turns names of any length and script into keys of one length. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

/** Used with RATE_LIMITS=off. */
export const noThrottle: Throttle = {
  beginAttempt: async () => {},
  endAttempt: async () => {},
  forgetFailures: async () => {},
  countHourly: async () => {},
}

/** Counts nothing when RATE_LIMITS is off. */
export function openThrottle({ db, clock, log, config }: ThrottleNeeds): Throttle {
  return config.RATE_LIMITS === 'on' ? createThrottle(db, log, () => clock.now()) : noThrottle
}

function createThrottle(db: Db, log: Log, now: () => Date): Throttle {
  return {
    // Counts for the address first, so that attempts which the account's wait refuses make the address wait too.
    beginAttempt: async (attempt) => {
      const { own, free = FREE_BY_ACCOUNT, address } = subjectsOf(attempt)
      if (address !== null) await count({ db, log }, address, FREE_BY_ADDRESS, now())
      await count({ db, log }, own, free, now())
    },
    endAttempt: async (attempt) => {
      const { own, address } = subjectsOf(attempt)
      await db.deleteFrom('login_failures').where('subject', '=', own).execute()
      if (address === null) return
      await db
        .updateTable('login_failures')
        .set({ failures: sql`greatest(0, failures - 1)` })
        .where('subject', '=', address)
        .execute()
    },
    forgetFailures: async (account) => {
      const all = sql<boolean>`starts_with(subject, ${`${accountSubject(account)}:`})`
      await db.deleteFrom('login_failures').where(all).execute()
    },
    countHourly: async (what, who) => {
      const time = now()
      const windowStart = new Date(time.getTime() - HOUR_MS)
      const isOld = sql<boolean>`login_failures.last_at <= ${windowStart}`
      const row = await db
        .insertInto('login_failures')
        .values({ subject: `${what}:${networkOf(who)}`, failures: 1, last_at: time })
        .onConflict((conflict) =>
          conflict.column('subject').doUpdateSet({
            failures: sql`case when ${isOld} then 1 else login_failures.failures + 1 end`,
            last_at: sql`case when ${isOld} then ${time}::timestamptz else login_failures.last_at end`,
          }),
        )
        .returning(['failures', 'last_at'])
        .executeTakeFirstOrThrow()
      if (row.failures > HOURLY[what])
        throw tooMany(secondsUntil(row.last_at.getTime() + HOUR_MS, time))
    },
  }
}

/** Adds a failure unless a wait is running; after the free failures the waits are 1, 2, 4 … 60 seconds. */
async function count(
  { db, log }: Pick<ThrottleNeeds, 'db' | 'log'>,
  subject: string,
  free: number,
  now: Date,
): Promise<void> {
  const forgotten = sql<boolean>`login_failures.last_at <= ${new Date(now.getTime() - FORGET_MS)}`
  const wait = sql<number>`case when login_failures.failures < ${free} then 0
    else least(${LONGEST_WAIT}, power(2, least(login_failures.failures - ${free}, 10))) end`
  const until = sql<Date>`login_failures.last_at + make_interval(secs => ${wait})`
  const counted = await db
    .insertInto('login_failures')
    .values({ subject, failures: 1, last_at: now })
    .onConflict((conflict) =>
      conflict
        .column('subject')
        .doUpdateSet({
          failures: sql`case when ${forgotten} then 1 else login_failures.failures + 1 end`,
          // Another node's clock may be ahead.
          last_at: sql`greatest(login_failures.last_at, ${now}::timestamptz)`,
        })
        .where(sql<boolean>`${wait} = 0 or ${until} <= ${now}`),
    )
    .returning('failures')
    .executeTakeFirst()
  if (counted !== undefined) return
  const waiting = await db
    .selectFrom('login_failures')
    .select(until.as('until'))
    .where('subject', '=', subject)
    .executeTakeFirst()
  // Logs only the kind of the subject: the rest is an address, or is made of a name.
  log.warn({ of: subject.split(':', 1)[0] }, 'after failed guesses somebody has to wait')
  throw tooMany(secondsUntil(waiting?.until.getTime() ?? now.getTime(), now))
}

function secondsUntil(time: number, now: Date): number {
  return Math.max(1, Math.ceil((time - now.getTime()) / 1000))
}
