/**
 * Recognizes devices on which a person has signed in, by a cookie that outlives the session. A sign-in from such a
 * device is slowed down only by its own failures; the cookie grants no access.
 *
 * Its value is `id.seal.seal`: a random id and, for each person who signed in there, a seal of id and person.
 * Without the keys nobody can tell whose device it is, and the server stores nothing of it.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { KNOWN_DEVICE_DAYS } from '#contract/limits.ts'
import { cookieName } from '#server/people/accounts/sessions/cookie.ts'
import type { Tokens } from '#server/people/accounts/sessions/tokens.ts'
import type { CallContext } from '#server/kernel/call.ts'

const MAX_AGE_SECONDS = KNOWN_DEVICE_DAYS * 24 * 60 * 60
/** People per device whose seals the cookie holds; the oldest is dropped for a new one. */
const MOST_PEOPLE = 5
const VALUE = /^([\w-]{22})((?:\.[\w-]{22}){1,5})$/

interface Device {
  readonly id: string
  readonly seals: readonly string[]
}

export interface Devices {
  /** Returns the id of the calling device if this person has signed in on it, or null. */
  knownTo(userId: string, cookies: CallContext['cookies']): string | null
  /** Adds this person's seal to the calling device's cookie. */
  remember(userId: string, context: Pick<CallContext, 'cookies' | 'setHeader'>): void
  /** Removes this person's seals and keeps those of others. */
  forget(userId: string, context: Pick<CallContext, 'cookies' | 'setHeader'>): void
}

/** The public address decides the cookie's name and whether it is secure, as for the session cookie. */
export function createDevices(tokens: Pick<Tokens, 'deviceSeals'>, publicUrl: string): Devices {
  const name = `${cookieName(publicUrl)}-device`
  const secure = name.startsWith('__Host-') ? '; Secure' : ''
  const isSealed = (device: Device, seal: string, userId: string) =>
    tokens.deviceSeals(device.id, userId).some((ours) => isSame(ours, seal))

  function read(cookies: CallContext['cookies']): Device | null {
    const [, id, seals] = VALUE.exec(cookies[name] ?? '') ?? []
    return id === undefined || seals === undefined ? null : { id, seals: seals.slice(1).split('.') }
  }

  function write(context: Pick<CallContext, 'setHeader'>, { id, seals }: Device): void {
    const isEmpty = seals.length === 0
    const value = isEmpty ? '' : [id, ...seals].join('.')
    const seconds = isEmpty ? 0 : MAX_AGE_SECONDS
    context.setHeader(
      'set-cookie',
      `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`,
    )
  }

  const othersOf = (device: Device, userId: string) =>
    device.seals.filter((seal) => !isSealed(device, seal, userId))

  return {
    knownTo: (userId, cookies) => {
      const device = read(cookies)
      return device?.seals.some((seal) => isSealed(device, seal, userId)) ? device.id : null
    },
    remember: (userId, context) => {
      const id = randomBytes(16).toString('base64url')
      const device = read(context.cookies) ?? { id, seals: [] }
      const [seal = ''] = tokens.deviceSeals(device.id, userId)
      const seals = [...othersOf(device, userId), seal].slice(-MOST_PEOPLE)
      write(context, { id: device.id, seals })
    },
    forget: (userId, context) => {
      const device = read(context.cookies)
      if (device === null) return
      const seals = othersOf(device, userId)
      if (seals.length < device.seals.length) write(context, { id: device.id, seals })
    },
  }
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
