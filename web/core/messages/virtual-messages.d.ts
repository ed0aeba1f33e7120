/** Made by scripts/vite-messages.ts. */
declare module 'virtual:messages/*' {
  const messages: import('@lingui/core').Messages
  // Texts without a name of their own.
  export default messages
}
