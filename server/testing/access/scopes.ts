/**
 * The one scope that lets a program's access token into each call and each method of the hub, and what tokens of each
 * scope alone are answered: those of a user, and those of an administrator. `access.test.ts` asks with all of them; a
 * call that stands nowhere here fails there.
 */
import { SCOPES, type Scope } from '#contract/endpoint.ts'
import type { Expected, Role, Row } from '#server/testing/access/roles.ts'

/** `none`: no token will do, because the call changes, guards or takes along the account itself. */
const CALLS: Readonly<Record<Scope | 'none', readonly string[]>> = {
  read: [
    'GET /api/comment/changes/{id}',
    'GET /api/comment/lesson/{id}',
    'GET /api/course/all',
    'GET /api/course/bought',
    'GET /api/course/browse',
    'GET /api/course/choices',
    'GET /api/course/highest',
    'GET /api/course/removal/{id}',
    'POST /api/course/rewardcheck',
    'GET /api/course/yours',
    'GET /api/course/{id}',
    'GET /api/follow/all',
    'GET /api/follow/{id}',
    'GET /api/home',
    'GET /api/home/stall',
    'GET /api/home/tags',
    'GET /api/identity/allProfiles',
    'GET /api/identity/named/{name}',
    'GET /api/identity/points',
    'GET /api/identity/profile/{id}',
    'GET /api/identity/userinformation/{id}',
    'GET /api/identity/ways-in',
    'GET /api/lesson/all',
    'GET /api/lesson/bought',
    'GET /api/lesson/browse',
    'GET /api/lesson/newest',
    'GET /api/lesson/popular',
    'GET /api/lesson/also/{id}',
    'GET /api/lesson/recommended',
    'GET /api/lesson/removal/{id}',
    'POST /api/lesson/rewardcheck',
    'GET /api/lesson/yours',
    'GET /api/lesson/{id}',
    'GET /api/liked',
    'GET /api/check/{lessonId}',
    'GET /api/check/{lessonId}/figures',
    'GET /api/note/all',
    'GET /api/note/lesson/{id}',
    'GET /api/notice/all',
    'GET /api/notice/count',
    'GET /api/notice/settings',
    'GET /api/openapi.json',
    'GET /api/progress',
    'GET /api/progress/continue',
    'GET /api/search',
    'GET /api/search/suggest',
    'GET /api/tag/{tag}',
  ],
  write: [
    'PUT /api/follow/{id}',
    'DELETE /api/follow/{id}',
    'PUT /api/progress/{lessonId}',
    'POST /api/check/{lessonId}',
    'POST /api/note/create/{lessonId}',
    'PUT /api/note/{id}',
    'DELETE /api/note/{id}',
    'PUT /api/notice/read',
    'PUT /api/notice/settings',
    'POST /api/comment/create/{lessonId}',
    'DELETE /api/comment/delete/{id}',
    'PUT /api/comment/edit/{id}',
    'GET /api/course/buy/{id}',
    'POST /api/course/buy/{id}',
    'POST /api/course/create',
    'GET /api/course/like/{id}',
    'POST /api/course/like/{id}',
    'DELETE /api/course/{id}',
    'PATCH /api/course/{id}',
    'PUT /api/course/{id}',
    'POST /api/email/send',
    'POST /api/flag',
    'GET /api/lesson/buy/{id}',
    'POST /api/lesson/buy/{id}',
    'POST /api/lesson/create',
    'GET /api/lesson/like/{id}',
    'POST /api/lesson/like/{id}',
    'DELETE /api/lesson/{id}',
    'PATCH /api/lesson/{id}',
    'PUT /api/lesson/{id}',
    'POST /api/upload/resource',
    'DELETE /api/upload/resource/{id}',
    'PATCH /api/upload/resource/{id}',
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
  ],
  admin: [
    'GET /api/admin/audit',
    'GET /api/admin/backups',
    'GET /api/admin/bugs',
    'POST /api/admin/bugs/{id}',
    'GET /api/admin/counts',
    'GET /api/admin/flags',
    'POST /api/admin/flags/{id}',
    'GET /api/admin/jobs',
    'POST /api/admin/jobs/drop',
    'POST /api/admin/jobs/retry',
    'GET /api/admin/log',
    'GET /api/admin/mails',
    'POST /api/admin/mails/drop',
    'POST /api/admin/mails/retry',
    'POST /api/admin/sign-out/{id}',
    'POST /api/admin/suspend/{id}',
    'POST /api/admin/unsuspend/{id}',
    'GET /api/admin/webhooks',
    'POST /api/admin/webhooks',
    'DELETE /api/admin/webhooks/{id}',
    'POST /api/admin/webhooks/{id}',
    'GET /api/admin/webhooks/{id}/deliveries',
    'POST /api/admin/webhooks/{id}/deliveries/{delivery}/resend',
    'POST /api/admin/webhooks/{id}/secret',
    'GET /api/comment/all',
    'GET /api/comment/browse',
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
  ],
}

export const scopes: ReadonlyMap<string, string> = new Map(
  Object.entries(CALLS).flatMap(([scope, calls]) => calls.map((call) => [call, scope] as const)),
)

/** Whose program calls, with the one scope of its token. */
export interface Program {
  readonly role: Extract<Role, 'user' | 'administrator'>
  readonly scope: Scope
}

/** Every kind of token, as the columns of the table have them. */
export const PROGRAMS: readonly Program[] = (['user', 'administrator'] as const).flatMap((role) =>
  SCOPES.map((scope) => ({ role, scope })),
)

/** Whether the address is asked with tokens: what HEAD answers has no body, and pages and files take only `read`. */
export const takesTokens = (address: string): boolean =>
  /^(?:(?!HEAD )\w+ \/api\/|HUB )/.test(address)

/**
 * What the program is answered. Without the scope it is refused; with it, it is answered as its person is, but that an
 * administrator is a user without the scope `admin`, one who has nothing to do with the items.
 */
export function expectedOf(address: string, row: Row, { role, scope }: Program): Expected {
  if (scopes.get(address) !== scope) return 403
  if (role === 'user') return row.answers.user
  return scope === 'admin' ? row.answers.administrator : row.answers.another
}
