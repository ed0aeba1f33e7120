/**
 * Slows down guessing, and bounds what is done an hour. Nobody waits for what others do: a stranger's attempts count
 * for his address, and for this account at this address; a device on which the person has signed in before has its own
 * count, and so has a session. A wait lasts a minute at most, and attempts during it don't lengthen it.
 */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Config } from '#server/kernel/config.ts'
import { tooMany } from '#server/kernel/errors.ts'
import type { Log } from '#server/kernel/log.ts'
import { networkOf } from '#server/kernel/network.ts'

/** Failures before the first wait; an address may be that of a whole school. */
const FREE_BY_ACCOUNT = 5
const FREE_BY_ADDRESS = 30
const LONGEST_WAIT = 60
/** Failures older than this are forgotten. */
const FORGET_MS = 15 * 60 * 1000
const HOUR_MS = 60 * 60 * 1000
/**
 * Most in an hour: of one network `register`, `forgot` and `challenge`, which each visit to the login may need; the others
 * of one person; `code`: at the second factor, of strangers; `token`: access tokens that are made.
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

/** Somebody at the login. `device`: the id of one that this person has signed in on, else null. */
interface SignInAttempt {
  readonly account: string
  readonly address: string
  readonly device: string | null
}

/** Somebody signed in who is asked for the password once more. */
interface SessionAttempt {
  readonly session: string
}

/** A code of the second factor, after the password. `known`: a device or session of the person's own, else null. */
interface FactorAttempt {
  readonly factorOf: string
  readonly known: string | null
}

/** A passkey at the login: nobody is named before it is judged, and nobody guesses one. */
interface PasskeyAttempt {
  readonly passkeyFrom: string
}

type Attempt = SignInAttempt | SessionAttempt | FactorAttempt | PasskeyAttempt

export interface Throttle {
  /** Counts an attempt as failed before it is judged, so that many at once are counted too. @throws Refusal 429 */
  beginAttempt(attempt: Attempt): Promise<void>
  /** Takes the count of a successful attempt back. */
  endAttempt(attempt: Attempt): Promise<void>
  /** Forgets the failures of an account whose password is a new one. */
  forgetFailures(account: string): Promise<void>
  /** `who`: a caller's address, or a person's id. @throws Refusal 429 above so many an hour */
  countHourly(what: keyof typeof HOURLY, who: string): Promise<void>
}

const accountSubject = (account: string) => `account:${digest(account)}`
const addressSubject = (address: string) => `address:${networkOf(address)}`

/** Where an attempt counts; `address` is null where the address does not matter. */
function subjectsOf(attempt: Attempt): {
  own: string
  free?: number
  address: string | null
} {
  if ('session' in attempt) return { own: `session:${attempt.session}`, address: null }
  // Apart from passwords: who fails here must not make a whole school wait there.
  if ('passkeyFrom' in attempt) {
    const own = `passkey:${networkOf(attempt.passkeyFrom)}`
    return { own, free: FREE_BY_ADDRESS, address: null }
  }
  // Strangers share one count, whatever their addresses: whoever knows the password must not try all codes.
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

/** Names of any length and script become keys of one length. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

/** Counts nothing: RATE_LIMITS=off. */
export const noThrottle: Throttle = {
  beginAttempt: async () => {},
  endAttempt: async () => {},
  forgetFailures: async () => {},
  countHourly: async () => {},
}

/** What slows down guessing in this database; counts nothing where RATE_LIMITS is off. */
export function openThrottle({ db, clock, log, config }: ThrottleNeeds): Throttle {
  return config.RATE_LIMITS === 'on' ? createThrottle(db, log, () => clock.now()) : noThrottle
}

function createThrottle(db: Db, log: Log, now: () => Date): Throttle {
  return {
    // What the account's wait refuses has counted for the address by then: who never stops soon waits there.
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

/** One failure more, unless a wait is running: 1, 2, 4 … 60 seconds from the last free failure on. */
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
  // Of whom it counts, the kind alone: the rest is an address, or made of a name.
  log.warn({ of: subject.split(':', 1)[0] }, 'after failed guesses somebody has to wait')
  throw tooMany(secondsUntil(waiting?.until.getTime() ?? now.getTime(), now))
}

function secondsUntil(time: number, now: Date): number {
  return Math.max(1, Math.ceil((time - now.getTime()) / 1000))
}
