/** Trusted Types forbid plain strings as script URLs. This makes the exception for the service worker. */

interface UrlPolicy {
  createScriptURL(url: string): string
}
interface Factory {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): UrlPolicy
}

// TypeScript's library lacks this type; the shape follows the standard.
const { trustedTypes } = globalThis as { readonly trustedTypes?: Factory }
let policy: UrlPolicy | undefined

/** Only for constants. */
export function trustedUrl(url: string): string {
  policy ??= trustedTypes?.createPolicy('worker', { createScriptURL: (given) => given })
  return policy?.createScriptURL(url) ?? url
}
