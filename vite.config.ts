import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { brotli } from './scripts/vite-brotli.ts'
import { messages } from './scripts/vite-messages.ts'

const framework = /node_modules\/(react|react-dom|scheduler|react-router|cookie)\//

const forms = /node_modules\/(react-hook-form|@hookform)\/|web\/core\/form\.ts$/
const shared = /\/(contract|web\/(core|ui|layout))\/|node_modules\/(zod|@lingui)\/|rolldown|vite/

/** `vite build` makes dist/client; `vite build --ssr` makes dist/server. */
export default defineConfig(({ isSsrBuild }) => ({
  root: fileURLToPath(new URL('.', import.meta.url)),
  appType: 'custom',
  publicDir: false,
  plugins: [react(), tailwindcss(), messages(), brotli()],
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
              codeSplitting: {
                includeDependenciesRecursively: false,
                groups: [
                  { name: 'vendor', test: framework, priority: 4 },
                  { name: 'form', test: forms, priority: 3 },
                  // What every page needs is one file, not thirty; what several need another.
                  { name: 'shared', test: shared, tags: ['$initial'], priority: 1 },
                  {
                    name: 'parts',
                    test: /\/web\/(ui|core|lessons)\/.*\.tsx?$/,
                    minShareCount: 4,
                    priority: 0,
                  },
                ],
              },
            },
          },
        }),
  },
  // One instance of react on the server, shared with nothing we bundle; the rest needs no node_modules.
  ssr: { noExternal: true, external: ['react', 'react-dom', 'react-router'] },
}))
