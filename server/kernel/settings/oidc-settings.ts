/** Settings of OpenID Connect providers: at most three, the second and third with a number in their names. */
import * as z from 'zod'
import { isLoopback } from '#server/kernel/loopback.ts'
import { line } from '#server/kernel/setting-kinds.ts'

const issuer = z.string().refine(isIssuer, {
  error: 'must be the address of an issuer as it writes it itself, https:// and no query',
})
const word = z.string().min(1).max(1000)

function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, search, hash, username } = new URL(text)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
  return isSafe && search === '' && hash === '' && username === ''
}

export const oidcVariables = {
  OIDC_ISSUER: [
    issuer.optional(),
    'none',
    'A provider of OpenID Connect by which people sign in; with /oidc/callback/1 as its redirect address',
  ],
  OIDC_CLIENT_ID: [word.optional(), 'none', 'What the provider knows this site by'],
  OIDC_CLIENT_SECRET: [word.optional(), 'none', 'By which this site proves itself there'],
  OIDC_NAME: [line.optional(), 'the host of OIDC_ISSUER', 'What the button calls it'],
  OIDC_2_ISSUER: [issuer.optional(), 'none', 'A second provider; /oidc/callback/2'],
  OIDC_2_CLIENT_ID: [word.optional(), 'none', 'Of the second provider'],
  OIDC_2_CLIENT_SECRET: [word.optional(), 'none', 'Of the second provider'],
  OIDC_2_NAME: [line.optional(), 'the host of OIDC_2_ISSUER', 'Of the second provider'],
  OIDC_3_ISSUER: [issuer.optional(), 'none', 'A third provider; /oidc/callback/3'],
  OIDC_3_CLIENT_ID: [word.optional(), 'none', 'Of the third provider'],
  OIDC_3_CLIENT_SECRET: [word.optional(), 'none', 'Of the third provider'],
  OIDC_3_NAME: [line.optional(), 'the host of OIDC_3_ISSUER', 'Of the third provider'],
  PASSWORD_LOGIN: [
    z.enum(['0', '1'], { error: 'must be one of 0, 1' }).default('1'),
    '1',
    '0: no passwords, people sign in by a provider or a passkey; needs OIDC_ISSUER',
  ],
} as const satisfies Record<string, readonly [z.ZodType, string, string]>

/** Values that must not be printed. */
export const OIDC_SECRETS = ['OIDC_CLIENT_SECRET', 'OIDC_2_CLIENT_SECRET', 'OIDC_3_CLIENT_SECRET']

export type OidcSettings = {
  readonly [Name in keyof typeof oidcVariables]: z.output<(typeof oidcVariables)[Name][0]>
}

export interface ProviderSettings {
  /** 1, 2 or 3, from the names of the settings. */
  readonly id: number
  /** Prefix of its settings' names. */
  readonly setting: 'OIDC' | 'OIDC_2' | 'OIDC_3'
  readonly name: string
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

const PREFIXES = ['OIDC', 'OIDC_2', 'OIDC_3'] as const

/** Returns the providers whose settings are complete. */
export function providersOf(settings: OidcSettings): ProviderSettings[] {
  return PREFIXES.flatMap((setting, index) => {
    const address = settings[`${setting}_ISSUER`]
    const clientId = settings[`${setting}_CLIENT_ID`]
    const clientSecret = settings[`${setting}_CLIENT_SECRET`]
    if (address === undefined || clientId === undefined || clientSecret === undefined) return []
    const name = settings[`${setting}_NAME`] ?? new URL(address).host
    return [{ id: index + 1, setting, name, issuer: address, clientId, clientSecret }]
  })
}

/** Returns what is wrong with the combination of settings, as a sentence, or null. */
export function oidcMistake(settings: OidcSettings): string | null {
  for (const setting of PREFIXES) {
    const names = [`${setting}_ISSUER`, `${setting}_CLIENT_ID`, `${setting}_CLIENT_SECRET`] as const
    const missing = names.filter((name) => settings[name] === undefined)
    if (missing.length > 0 && missing.length < names.length)
      return `${missing.join(' and ')} must be set too: a provider of OpenID Connect needs ${names.join(', ')}.`
    if (missing.length > 0 && settings[`${setting}_NAME`] !== undefined)
      return `${setting}_NAME needs ${names.join(', ')}.`
  }
  const issuers = providersOf(settings).map((provider) => provider.issuer)
  if (new Set(issuers).size < issuers.length)
    return 'Two providers have one issuer: give OIDC_ISSUER, OIDC_2_ISSUER and OIDC_3_ISSUER different ones.'
  if (settings.PASSWORD_LOGIN === '0' && issuers.length === 0)
    return 'PASSWORD_LOGIN is "0" and there is no OIDC_ISSUER: nobody could sign in. Set one, or take PASSWORD_LOGIN away.'
  return null
}
