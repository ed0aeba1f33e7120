/** The browser's gate for HTML, which TypeScript's own library does not describe yet. */

export interface Policy {
  createHTML(html: string): string
}

interface PolicyFactory {
  createPolicy(name: string, rules: Policy): Policy
  readonly defaultPolicy: unknown
}

// The library's types lack it; the shape is the standard's.
const world = globalThis as { readonly trustedTypes?: PolicyFactory }

/** Undefined on the server and in browsers that don't know it. */
export const trustedTypes = (): PolicyFactory | undefined => world.trustedTypes
