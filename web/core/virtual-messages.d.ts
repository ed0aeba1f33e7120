/** Made by scripts/vite-messages.ts. */
declare module 'virtual:messages/*' {
  const messages: import('@lingui/core').Messages
  // Texts without a name of their own.
  export default messages
}

declare module 'virtual:page-messages/*' {
  /** What a page has besides, by its name in the route table; empty when everything is in the catalogue itself. */
  export const pages: Readonly<
    Record<string, () => Promise<{ readonly default: import('@lingui/core').Messages }>>
  >
}
