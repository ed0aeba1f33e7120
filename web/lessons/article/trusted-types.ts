/** The browser's gate for HTML (Trusted Types), which TypeScript's own library does not describe yet. */
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

// The library's types lack it; the shape is the standard's.
const world = globalThis as { readonly trustedTypes?: PolicyFactory }

/** Undefined on the server and in browsers that don't know it. */
export const trustedTypes = (): PolicyFactory | undefined => world.trustedTypes
