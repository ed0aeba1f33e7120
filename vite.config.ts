import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, normalizePath } from 'vite'
import { brotli } from './scripts/vite-brotli.ts'
import { isLanguageList, messages } from './scripts/vite-messages.ts'
import { serviceWorker } from './scripts/vite-worker.ts'

const ROOT = normalizePath(import.meta.dirname)

/** Tests a module's path below the root, so that no pattern meets the names of the folders above. */
const ours = (pattern: RegExp) => (id: string) =>
  id.startsWith(ROOT) && pattern.test(id.slice(ROOT.length))

const VENDOR =
  /^\0vite\/|node_modules\/(?:react|react-dom|scheduler|react-router|cookie|@lingui|zod)\//
const FORMS = /node_modules\/(?:react-hook-form|@hookform|@standard-schema|@simplewebauthn)\//
/** Forms of accounts, and whatever signs in or confirms who somebody is. */
const isForm = ours(
  /^\/(?:contract\/(?:access-tokens|factors|identities|passkeys|ways-in)\.ts$|web\/(?:people\/accounts\/(?!invitations)|core\/form\/(?:form|length-step|CodeField)\.tsx?$|core\/passkeys\/|layout\/(?:ConfirmIdentityDialog|PasskeyStep|ProviderLinks|SignInDialog)|ui\/inputs\/(?:PictureField|PasswordInput|FileButton|dropped-file)))/,
)
const isMaking = ours(
  /^\/(?:contract\/(?:art|drafts|motifs|video-offers)\.ts$|web\/(?:core\/storage\/draft-(?:ends|outcome|pictures|sending)|ui\/inputs\/(?:draw-picture|Token)|items\/(?:(?:checks|courses|lessons|shared)\/form\/|drafts\/(?:sender|server-draft|DraftState)|shared\/(?:moments\/(?!TornBand)|sharing\/copy)|lessons\/(?:article\/(?:ArticleField|article-length|Editor\.module)|resource\/(?:ResourceField|use-resource-upload)))))/,
)
const isReading = ours(
  /^\/(?:contract\/certificates\.ts$|web\/(?:core\/(?:offline\/use-kept|video-times)|items\/(?:captions\/LessonTranscript|certificates|checks|comments|flags\/ReportButton|follows\/Follow[AB]|likes\/(?:LikeButton|use-like)|lessons\/(?:article|details|focus|player|resource\/ResourceLink)|notes|purchases|ratings\/(?!RatingMark)|shared\/(?:asking|details|moments\/TornBand|removal|sharing))|ui\/(?:points\/Buy|Prose|qr\/QrCode)))/,
)
/** Without what loads later, and without what few pages need: authors' statistics, the account book, the suspension. */
const isShared = ours(
  /^\/(?:contract\/(?!(?:caption-limits|captions|drafts|figures|invitations|moderation)\.ts)|web\/(?:core|items\/(?!captions|drafts|figures\/|flags\/S)|layout|people\/(?!points\/|accounts\/invitations)|ui\/(?!figures\/|qr\/)))/,
)
const isDesk = ours(
  /^\/(?:contract\/(?:appeals|contrast|economy|language-settings|people|setting-kinds|settings|webhooks)\.ts$|web\/operate\/)/,
)

/** What the browser gets; with `--ssr` what renders it. scripts/build.mjs says where it goes; scripts/dev-pages.ts serves the same from the sources. */
export default defineConfig(({ command, isSsrBuild }) => ({
  root: fileURLToPath(new URL('.', import.meta.url)),
  appType: 'custom',
  publicDir: false,
  plugins: [react(), messages(), serviceWorker(), brotli()],
  // The sheet's own name makes a class unique (modules.test.ts): a hash of each would add 2 KB to a page.
  css: { modules: { generateScopedName: '[name]_[local]' } },
  // React has it itself; the package is for older ones.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim$/, replacement: 'react' }] },
  build: {
    target: 'es2023',
    // es2023 names no browser; without these light-dark() would be compiled away.
    cssTarget: ['chrome123', 'edge123', 'firefox128', 'safari17.5'],
    modulePreload: {
      polyfill: false,
      // The server's HTML names what the first page needs. The names of what every other page needs besides its own
      // file would be 1.5 KB in the scripts of each; pages are fetched when one points at a link, which hides the step.
      resolveDependencies: () => [],
    },
    assetsDir: 'assets',
    // The pages' policy allows no data: fonts, and a file is cached once for every page.
    assetsInlineLimit: 0,
    ...(isSsrBuild
      ? {
          ssrEmitAssets: false,
          rolldownOptions: { input: 'web/entry.server.tsx' },
        }
      : {
          manifest: true,
          rolldownOptions: {
            input: 'web/entry.client.tsx',
            output: {
              codeSplitting: {
                includeDependenciesRecursively: false,
                // A page is few requests: what several pages need is one file for each kind of page.
                groups: [
                  { name: 'vendor', test: VENDOR, priority: 4 },
                  {
                    name: 'forms',
                    test: (id) => FORMS.test(id) || isForm(id),
                    minShareCount: 2,
                    priority: 3,
                  },
                  { name: 'making', test: isMaking, minShareCount: 2, priority: 3 },
                  { name: 'desk', test: isDesk, minShareCount: 2, priority: 3 },
                  { name: 'reading', test: isReading, minShareCount: 2, priority: 3 },
                  {
                    name: 'shared',
                    test: (id) => isLanguageList(id) || isShared(id),
                    minShareCount: 2,
                    priority: 2,
                  },
                ],
              },
            },
          },
        }),
  },
  // One instance of react on the server, shared with nothing we bundle; the rest needs no node_modules.
  ssr:
    command === 'build'
      ? { noExternal: true, external: ['react', 'react-dom', 'react-router'] }
      : {},
}))
