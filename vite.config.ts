import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { brotli } from './scripts/vite-brotli.ts'
import { messages } from './scripts/vite-messages.ts'

const framework =
  /node_modules\/(react|react-dom|scheduler|react-router|cookie|use-sync-external-store)\//

const forms =
  /node_modules\/(react-hook-form|@hookform)\/|web\/core\/(form\.ts|FormAlert\.tsx|drafts\.ts|draft-id\.ts)$|web\/ui\/(Field|TextInput|Checkbox)\.tsx$|web\/lessons\/focus-refused\.ts$/
/** What only pages with a picture to choose need: readers of lists never load it. */
const pictures =
  /node_modules\/(react-dropzone|file-selector|attr-accept)\/|contract\/(art|motifs)\.ts$|web\/ui\/(PictureField\.tsx|draw-picture\.ts)$|web\/lessons\/(ItemPreview\.tsx|PictureChoice\.tsx|draft-keeping\.ts|object-url\.ts|resource-name\.ts)$/
/** The calls of items: one file instead of ten, for every page that shows some. */
const nouns =
  /contract\/(items|lessons|lesson-forms|courses|course-forms|points|files|query|tags|video|dyes|random|comments)\.ts$/
const lists =
  /node_modules\/@mantine\/hooks\/|web\/lessons\/(ItemList|ListFilters|PageLinks)\.tsx$|web\/lessons\/list-words\.ts$|web\/ui\/(Chip|Drawer|Segment|Pager)\.tsx$/
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
                  { name: 'pictures', test: pictures, priority: 3 },
                  { name: 'nouns', test: nouns, priority: 2 },
                  { name: 'lists', test: lists, priority: 2 },
                  // What every page needs is one file, not thirty; what several need another.
                  { name: 'shared', test: shared, tags: ['$initial'], priority: 1 },
                  {
                    name: 'parts',
                    test: /\/web\/(ui|core|lessons|likes)\/.*\.tsx?$/,
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
