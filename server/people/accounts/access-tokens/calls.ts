import { accessTokens, type AccessToken, type TokenDraft } from '#contract/access-tokens.ts'
import { SCOPES, type Scope } from '#contract/endpoint.ts'
import { TOKENS } from '#contract/limits.ts'
import {
  countTokens,
  deleteToken,
  listTokens,
  writeToken,
  type TokenRow,
} from '#server/people/accounts/access-tokens/store.ts'
import {
  callerOfToken,
  hashAccessToken,
  newAccessToken,
} from '#server/people/accounts/access-tokens/token.ts'
import { requirePassword } from '#server/people/accounts/erasure.ts'
import { lockIdentity, mailAddressOf } from '#server/people/accounts/identity.ts'
import { mailNewToken } from '#server/people/accounts/mails/notices.ts'
import { openThrottle } from '#server/people/accounts/throttle.ts'
import { route, type Route, type Viewer } from '#server/kernel/call.ts'
import type { Core } from '#server/platform/core/core.ts'
import { conflict, invalidField, notFound, unauthorized } from '#server/kernel/errors.ts'

const DAY_MS = 24 * 60 * 60 * 1000

export function accessTokenCalls(core: Core): Route[] {
  const needs = { ...core, throttle: openThrottle(core) }
  return [
    route(accessTokens.list, async ({ viewer }) =>
      (await listTokens(core.db, viewer.id)).map(toAnswer),
    ),
    route(accessTokens.create, ({ viewer }, draft) => createToken(needs, viewer, draft)),
    route(accessTokens.revoke, async ({ viewer }, { id }) => {
      if (!(await deleteToken(core.db, viewer.id, id))) throw notFound()
      const sessionId = callerOfToken(id)
      core.events.publish({ type: 'session.ended', userId: viewer.id, sessionId })
      return null
    }),
  ]
}

/**
 * @throws Refusal 400 at the password, or at a scope that the person doesn't have; 409 when they have too many
 * tokens; 429
 */
async function createToken(
  needs: Core & { readonly throttle: ReturnType<typeof openThrottle> },
  viewer: Viewer,
  { name, scopes, days, password }: TokenDraft,
): Promise<AccessToken & { token: string }> {
  if (scopes.includes('admin') && viewer.role !== 'administrator')
    throw invalidField('scopes', 'tokenScopeNotYours')
  const hash = await requirePassword(needs, viewer, password)
  // Each token is announced by mail. Deleted tokens don't count towards the maximum, so this limit is separate.
  await needs.throttle.countHourly('token', viewer.id)
  const token = newAccessToken()
  const createdAt = needs.clock.now()
  const row = await needs.db.transaction().execute(async (tx) => {
    const person = await lockIdentity(tx, viewer.id)
    // The account was closed, or the password changed, since the check.
    if (person === null) throw unauthorized()
    if (person.passwordHash !== hash) throw invalidField('password', 'passwordWrong')
    if ((await countTokens(tx, viewer.id)) >= TOKENS)
      throw conflict('tokensTooMany', { most: TOKENS })
    const to = { userId: viewer.id, person, address: mailAddressOf(person) }
    await mailNewToken(tx, scopes, to, createdAt)
    return writeToken(tx, {
      userId: viewer.id,
      name,
      hash: hashAccessToken(token),
      scopes,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + days * DAY_MS),
    })
  })
  return { ...toAnswer(row), token }
}

const isScope = (given: string): given is Scope => SCOPES.some((scope) => scope === given)

function toAnswer(row: TokenRow): AccessToken {
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes.filter(isScope),
    date: row.created_at.toISOString(),
    expires: row.expires_at.toISOString(),
    lastUsed: row.last_used_at?.toISOString() ?? null,
  }
}
