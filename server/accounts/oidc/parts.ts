/** What `/readyz` says of the providers by which people sign in. */
import { readBounded } from '#server/accounts/oidc/bounded-answer.ts'
import type { Config } from '#server/kernel/config.ts'
import { providersOf, type ProviderSettings } from '#server/kernel/settings/oidc-settings.ts'
import { PartAway, type HealthPart } from '#server/kernel/process/health.ts'

/** Balancers ask every second; a provider is asked by us no more often than this. */
const ASK_AGAIN_MS = 10_000
const LIMIT_MS = 4000

/**
 * A part for each provider, none of them needed: the site goes on without, but for who signs in by it. What is known is
 * said at once, and asked for again beside it.
 */
export function providerParts(config: Config): HealthPart[] {
  return providersOf(config).map((provider) => {
    let away = false
    let askedAt = Number.NEGATIVE_INFINITY
    return {
      name: `${provider.setting.toLowerCase().replace('_', '-')}-provider`,
      needed: false,
      check: async () => {
        if (performance.now() - askedAt > ASK_AGAIN_MS) {
          askedAt = performance.now()
          void isAway(provider).then((found) => (away = found))
        }
        if (away) throw new PartAway(words(provider))
      },
    }
  })
}

const words = ({ setting }: ProviderSettings) =>
  `does not answer, so nobody signs in by it: see that ${setting}_ISSUER is right, runs, and is reached from this node`

/** Where a provider tells about itself. */
export const discoveryOf = (issuer: string): string =>
  `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`

async function isAway({ issuer }: ProviderSettings): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(LIMIT_MS)
    return (await readBounded(discoveryOf(issuer), { signal })).status !== 200
  } catch {
    return true
  }
}
