/** The page's policy lets no plain text be run as a script (Trusted Types); this is the gate for one address of ours. */

interface UrlPolicy {
  createScriptURL(url: string): string
}
interface Factory {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): UrlPolicy
}

// The library's types lack it; the shape is the standard's.
const { trustedTypes } = globalThis as { readonly trustedTypes?: Factory }
let policy: UrlPolicy | undefined

/** An address of our own that may be run. Only for constants. */
export function trustedUrl(url: string): string {
  policy ??= trustedTypes?.createPolicy('worker', { createScriptURL: (given) => given })
  return policy?.createScriptURL(url) ?? url
}
