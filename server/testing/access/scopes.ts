/**
 * The scope that a program's token needs for each call and hub method, and the expected answers for tokens of
 * users and administrators. `access.test.ts` tries all of them.
 */
import { SCOPES, type Scope } from '#contract/endpoint.ts'
import type { Expected, Role, Row } from '#server/testing/access/roles.ts'

/** Calls that need another scope than their method and path suggest (scopeOf). */
const CALLS: Readonly<Record<Scope | 'none', readonly string[]>> = {
  read: [
    'POST /api/course/rewardcheck',
    'POST /api/lesson/rewardcheck',
    'GET /api/identity/allProfiles',
    'GET /api/identity/by/{name}',
    'GET /api/identity/named/{name}',
    'GET /api/identity/points',
    'GET /api/identity/profile/{id}',
    'GET /api/identity/userinformation/{id}',
    'GET /api/identity/ways-in',
    'GET /files/figures/{file}',
    'GET /files/resources/{id}/*',
  ],
  write: [
    'GET /api/course/buy/{id}',
    'GET /api/course/like/{id}',
    'GET /api/lesson/buy/{id}',
    'GET /api/lesson/like/{id}',
  ],
  chat: [
    'GET /api/identity/allContacts',
    'DELETE /api/identity/block/{id}',
    'GET /api/identity/block/{id}',
    'POST /api/identity/block/{id}',
  ],
  admin: [
    'GET /api/appeal/all',
    'POST /api/appeal/decide/{id}',
    'GET /api/appeal/figures',
    'GET /api/comment/all',
    'GET /api/comment/browse',
    'GET /api/rating/browse',
    'POST /api/rating/delete',
    'POST /api/rating/restore',
    'POST /api/comment/delete',
    'POST /api/comment/judge/{id}',
    'POST /api/comment/restore',
    'POST /api/comment/restore/{id}',
  ],
  none: [
    'POST /api/invitation/create',
    'POST /api/admin/people/{id}/factors/reset',
    'POST /api/admin/people/{id}/role',
    'POST /api/email/unsubscribe',
    'POST /api/lesson/trust/{id}',
    'GET /files/exports/now',
    'GET /files/exports/{id}',
  ],
}

/** By the address of the call. */
export const exceptions: ReadonlyMap<string, string> = new Map(
  Object.entries(CALLS).flatMap(([scope, calls]) => calls.map((call) => [call, scope] as const)),
)

/** The hub and the messages of the API. */
const CHAT = /^HUB | \/(?:api\/)?chatHub\b| \/api\/message\//

/**
 * A call of administrators needs `admin`, a GET `read`, another one `write`, unless it is an exception. `none`
 * refuses all tokens, because the calls below /api/identity and those of roles and factors change, protect or export
 * an account itself, and trust is for people.
 * `ignored`: addresses outside the API don't check tokens, so the caller is treated as a guest.
 */
export function scopeOf(address: string): string {
  const exception = exceptions.get(address)
  if (exception !== undefined) return exception
  if (CHAT.test(address)) return 'chat'
  if (address.includes(' /api/identity/')) return 'none'
  if (address.includes(' /api/admin/')) return 'admin'
  if (!address.includes(' /api/')) return 'ignored'
  return address.startsWith('GET ') ? 'read' : 'write'
}

/** A program of the role with a token of one scope. */
export interface Program {
  readonly role: Extract<Role, 'user' | 'administrator'>
  readonly scope: Scope
}

/** In the order of the table's columns. */
export const PROGRAMS: readonly Program[] = (['user', 'administrator'] as const).flatMap((role) =>
  SCOPES.map((scope) => ({ role, scope })),
)

/**
 * Without the scope the program is refused; with it, it gets the person's answer. Without `admin`, an
 * administrator counts as a user who owns nothing.
 */
export function expectedOf(address: string, row: Row, { role, scope }: Program): Expected {
  const needed = scopeOf(address)
  if (needed === 'ignored') return row.answers.guest
  if (needed !== scope) return 403
  if (role === 'user') return row.answers.user
  return scope === 'admin' ? row.answers.administrator : row.answers.another
}
