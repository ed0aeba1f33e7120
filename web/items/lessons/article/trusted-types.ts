/** Types for Trusted Types, which TypeScript's DOM library lacks. */
import type { Config } from 'dompurify'

export type Policy = NonNullable<Config['TRUSTED_TYPES_POLICY']>

interface Rules {
  readonly createHTML: (html: string) => string
  readonly createScriptURL?: (url: string) => string
}

interface PolicyFactory {
  createPolicy(name: string, rules: Rules): Policy
  readonly defaultPolicy: unknown
}

const world = globalThis as { readonly trustedTypes?: PolicyFactory }

/** Undefined on the server and in browsers without Trusted Types. */
export const trustedTypes = (): PolicyFactory | undefined => world.trustedTypes
