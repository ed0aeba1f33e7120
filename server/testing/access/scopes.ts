/**
 * The scope that a program's token needs for each call and hub method, and the expected answers for tokens of
 * users and administrators. `access.test.ts` tries all of them.
 */
import { SCOPES, type Scope } from '#contract/endpoint.ts'
import type { Expected, Role, Row } from '#server/testing/access/roles.ts'

/**
 * Calls that need another scope than their method and path suggest (scopeOf). `none`: refuses all tokens, because
 * the call changes, protects or exports the account itself. `ignored`: the address doesn't check tokens, so the
 * caller is treated as a guest.
 */
const CALLS: Readonly<Record<Scope | 'none' | 'ignored', readonly string[]>> = {
  read: [
    'POST /api/course/rewardcheck',
    'POST /api/lesson/rewardcheck',
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
    'GET /api/message/all/{receiver}',
    'GET /api/message/contacts',
    'POST /api/message/create',
    'POST /api/message/read/{username}',
    'GET /api/message/unread',
    'HUB SendMessageToGroup',
    'HUB Subscribe',
    'DELETE /api/chatHub',
    'GET /api/chatHub',
    'POST /api/chatHub',
    'POST /api/chatHub/negotiate',
    'DELETE /chatHub',
    'GET /chatHub',
    'POST /chatHub',
    'POST /chatHub/negotiate',
  ],
  admin: [
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
    'POST /api/email/unsubscribe',
    'POST /api/identity/confirm',
    'POST /api/identity/email/confirm',
    'POST /api/identity/email/resend',
    'POST /api/identity/email/undo',
    'POST /api/identity/erase',
    'GET /api/identity/export',
    'GET /api/identity/exports',
    'POST /api/identity/exports',
    'GET /api/identity/factors',
    'POST /api/identity/factors/recovery',
    'DELETE /api/identity/factors/totp',
    'POST /api/identity/factors/totp',
    'POST /api/identity/factors/totp/confirm',
    'GET /api/identity/identities',
    'POST /api/identity/identities/begin',
    'DELETE /api/identity/identities/{id}',
    'POST /api/identity/login',
    'POST /api/identity/logout',
    'POST /api/identity/oidc/finish',
    'POST /api/identity/oidc/register',
    'GET /api/identity/oidc/waiting',
    'GET /api/identity/passkeys',
    'POST /api/identity/passkeys',
    'POST /api/identity/passkeys/begin',
    'POST /api/identity/passkeys/confirm',
    'POST /api/identity/passkeys/confirm/begin',
    'POST /api/identity/passkeys/sign-in',
    'POST /api/identity/passkeys/sign-in/begin',
    'DELETE /api/identity/passkeys/{id}',
    'PATCH /api/identity/passkeys/{id}',
    'POST /api/identity/password/change',
    'POST /api/identity/password/forgot',
    'POST /api/identity/password/reset',
    'POST /api/identity/refresh',
    'POST /api/identity/register',
    'GET /api/identity/sessions',
    'POST /api/identity/sessions/revoke',
    'DELETE /api/identity/sessions/{id}',
    'GET /api/identity/tokens',
    'POST /api/identity/tokens',
    'DELETE /api/identity/tokens/{id}',
    'PATCH /api/identity/update',
    'POST /api/identity/update',
    'PUT /api/identity/update',
    'GET /files/exports/now',
    'GET /files/exports/{id}',
  ],
  ignored: [
    'GET /*',
    'GET /.well-known/did.json',
    'GET /.well-known/security.txt',
    'GET /art/{kind}/{file}',
    'GET /assets/{name}',
    'GET /credentials/{file}',
    'GET /dev/mail',
    'GET /dev/mail/{id}',
    'GET /dev/mail/{id}/html',
    'GET /favicon.ico',
    'GET /favicon.svg',
    'GET /feeds/author/{file}',
    'GET /feeds/courses.atom',
    'GET /feeds/lessons.atom',
    'GET /feeds/tag/{file}',
    'GET /files/pictures/{key}/{file}',
    'GET /healthz',
    'GET /healthz/seen',
    'GET /locales/{file}',
    'GET /manifest/{file}',
    'GET /oidc/begin/{provider}',
    'GET /oidc/callback/{provider}',
    'GET /readyz',
    'GET /robots.txt',
    'GET /search',
    'GET /service-worker.js',
    'GET /share.jpg',
    'GET /share/{file}',
    'GET /sitemap.xml',
    'GET /sitemap/pages.xml',
    'GET /sitemap/{file}',
    'POST /course/details/{id}',
    'POST /email/unsubscribe',
    'POST /lesson/contact/{id}',
    'POST /lesson/create',
    'POST /lesson/details/{id}',
    'POST /login',
    'POST /logout',
    'POST /oidc/logout/{provider}',
    'POST /password/forgot',
    'POST /password/reset',
    'POST /policy-reports',
    'POST /register',
    'POST /report',
  ],
}

/** By the address of the call. */
export const exceptions: ReadonlyMap<string, string> = new Map(
  Object.entries(CALLS).flatMap(([scope, calls]) => calls.map((call) => [call, scope] as const)),
)

/** A call of administrators needs `admin`, a GET `read`, another one `write`, unless it is an exception. */
export function scopeOf(address: string): string {
  const exception = exceptions.get(address)
  if (exception !== undefined) return exception
  if (address.includes(' /api/admin/')) return 'admin'
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
