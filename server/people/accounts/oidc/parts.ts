/** Health parts of the providers for `/readyz`. */
import { readBounded } from '#server/people/accounts/oidc/bounded-answer.ts'
import type { Config } from '#server/kernel/config.ts'
import { providersOf, type ProviderSettings } from '#server/kernel/settings/oidc-settings.ts'
import { PartAway, type HealthPart } from '#server/kernel/process/health.ts'

/** In ms. Load balancers ask every second; we ask a provider no more often than this. */
const ASK_AGAIN_MS = 10_000
const LIMIT_MS = 4000

/**
 * Creates a part for each provider. None is required, because the site works without them. Reports the last known
 * state at once and refreshes it in the background.
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

/** Returns the address of the provider's metadata. */
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
