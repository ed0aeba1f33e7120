/** Made by scripts/vite-messages.ts. */
declare module 'virtual:messages/*' {
  const messages: import('@lingui/core').Messages
  // A virtual module has nothing but its default.
  export default messages
}
