import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { messages } from './scripts/vite-messages.ts'

const framework = /node_modules\/(react|react-dom|scheduler|react-router|cookie)\//

/** `vite build` makes dist/client; `vite build --ssr` makes dist/server. */
export default defineConfig(({ isSsrBuild }) => ({
  root: fileURLToPath(new URL('.', import.meta.url)),
  appType: 'custom',
  publicDir: false,
  plugins: [react(), tailwindcss(), messages()],
  build: {
    target: 'es2023',
    // es2023 names no browser; without these light-dark() would be compiled away.
    cssTarget: ['chrome123', 'edge123', 'firefox128', 'safari17.5'],
    modulePreload: { polyfill: false },
    assetsDir: 'assets',
    // The pages' policy allows no data: fonts, and a file is cached once for every page.
    assetsInlineLimit: 0,
    emptyOutDir: true,
    ...(isSsrBuild
      ? {
          outDir: 'dist/server',
          ssrEmitAssets: false,
          rolldownOptions: { input: 'web/entry.server.tsx' },
        }
      : {
          outDir: 'dist/client',
          manifest: true,
          rolldownOptions: {
            input: 'web/entry.client.tsx',
            output: {
              // One file that changes only when the framework does.
              codeSplitting: { groups: [{ name: 'vendor', test: framework }] },
            },
          },
        }),
  },
  // One instance of react on the server, shared with nothing we bundle; the rest needs no node_modules.
  ssr: { noExternal: true, external: ['react', 'react-dom', 'react-router'] },
}))
