/** Back-channel logout: when a provider's session ends, the sessions that it began here end too. */
import type { FastifyInstance } from 'fastify'
import { PROVIDER_LOGOUTS_A_MINUTE } from '#contract/limits.ts'
import { ProviderFailure, type Providers } from '#server/people/accounts/oidc/providers.ts'
import { deleteEndedFlows } from '#server/people/accounts/oidc/store.ts'
import { revokeProviderSessions } from '#server/people/accounts/sessions/sessions.ts'
import type { Core } from '#server/platform/core/core.ts'
import { networkOf } from '#server/kernel/network.ts'
import { createRate } from '#server/kernel/limits/rates.ts'
import type { ProviderSettings } from '#server/kernel/settings/oidc-settings.ts'

/** Each provider has its own address, as for callbacks. */
const LOGOUT = '/oidc/logout/:provider'
const MOST_BYTES = 16_384

/** The address that the provider must be configured with. */
export const logoutOf = (publicUrl: string, { id }: Pick<ProviderSettings, 'id'>): string =>
  `${publicUrl}/oidc/logout/${id}`

/** Registers the address of each provider. */
export function registerLogout(
  app: FastifyInstance,
  core: Core,
  providers: Pick<Providers, 'list' | 'readLogout'>,
): void {
  const rate = createRate(PROVIDER_LOGOUTS_A_MINUTE, core.config)
  void app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: MOST_BYTES },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    )
    scope.post<{ Params: { provider: string } }>(LOGOUT, async (request, reply) => {
      const provider = providers.list.find(({ id }) => `${id}` === request.params.provider)
      if (provider === undefined) return reply.callNotFound()
      reply.header('cache-control', 'no-store')
      rate.count(networkOf(request.ip))
      const { body } = request
      const token = body instanceof URLSearchParams ? (body.get('logout_token') ?? '') : ''
      try {
        await endSessions(core, providers, provider, token)
        return await reply.code(200).send()
      } catch (error) {
        if (!(error instanceof ProviderFailure)) throw error
        // The keys may be available when the provider tries again.
        if (error.why === 'away') return reply.code(503).header('retry-after', '10').send()
        return reply.code(400).send({ error: 'invalid_request' })
      }
    })
  })
}

async function endSessions(
  { db, clock, events, log }: Core,
  providers: Pick<Providers, 'readLogout'>,
  provider: ProviderSettings,
  token: string,
): Promise<void> {
  const { issuer } = provider
  const end = { issuer, ...(await providers.readLogout(provider, token)) }
  // Also ends sign-ins in progress by that session.
  await deleteEndedFlows(db, end)
  const ended = await revokeProviderSessions(db, end, clock.now())
  for (const { userId, sessionId } of ended)
    events.publish({ type: 'session.ended', userId, sessionId })
  log.info({ provider: provider.name, sessions: ended.length }, 'a provider ended sessions')
}
