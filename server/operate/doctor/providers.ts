import * as z from 'zod'
import { readBounded } from '#server/people/accounts/oidc/bounded-answer.ts'
import { discoveryOf } from '#server/people/accounts/oidc/parts.ts'
import { logoutOf } from '#server/people/accounts/oidc/logout.ts'
import { callbackOf } from '#server/people/accounts/oidc/providers.ts'
import { ok, reasonOf, wrong, type Finding } from '#server/operate/doctor/finding.ts'
import type { Config } from '#server/kernel/config.ts'
import { providersOf, type ProviderSettings } from '#server/kernel/settings/oidc-settings.ts'

const LIMIT_MS = 5000

const Metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  jwks_uri: z.string(),
  code_challenge_methods_supported: z.array(z.string()).optional(),
  backchannel_logout_supported: z.boolean().optional(),
})

/**
 * Checks that each configured OpenID Connect provider responds, has the expected issuer and supports what a
 * sign-in needs. Signs nobody in and sends no secret.
 */
export async function examineProviders(config: Config, publicUrl: string): Promise<Finding[]> {
  return Promise.all(providersOf(config).map((provider) => examineProvider(provider, publicUrl)))
}

async function examineProvider(provider: ProviderSettings, publicUrl: string): Promise<Finding> {
  const part = `${provider.setting}_ISSUER`
  const { issuer } = provider
  try {
    const signal = AbortSignal.timeout(LIMIT_MS)
    const answer = await readBounded(discoveryOf(issuer), { signal })
    if (answer.status !== 200)
      return wrong(
        part,
        `${discoveryOf(issuer)} answers ${answer.status}. Set it to the address that the provider calls its issuer.`,
      )
    const metadata = Metadata.safeParse(await answer.json())
    if (!metadata.success)
      return wrong(
        part,
        `${discoveryOf(issuer)} is no description of a provider. Look at the address.`,
      )
    if (metadata.data.issuer !== issuer)
      return wrong(
        part,
        `the provider calls itself ${metadata.data.issuer}, not ${issuer}. Set ${part} to that, letter by letter.`,
      )
    const methods = metadata.data.code_challenge_methods_supported
    if (methods !== undefined && !methods.includes('S256'))
      return wrong(
        part,
        'the provider does not take PKCE by S256, which every sign-in here uses. Turn it on there.',
      )
    const logout =
      metadata.data.backchannel_logout_supported === true
        ? `, and should know ${logoutOf(publicUrl, provider)} for back-channel logouts`
        : ''
    return ok(
      part,
      `${provider.name} answers; it must know ${callbackOf(publicUrl, provider)} as a redirect address${logout}`,
    )
  } catch (error) {
    return wrong(
      part,
      `${new URL(issuer).host}: ${reasonOf(error)}. See that it runs there, and that this machine reaches it.`,
    )
  }
}
