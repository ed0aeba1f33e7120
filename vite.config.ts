import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { brotli } from './scripts/vite-brotli.ts'
import { anyOf, isBundlers, nameShared, ours, packages } from './scripts/vite-chunks.ts'
import { messages } from './scripts/vite-messages.ts'
import { serviceWorker } from './scripts/vite-worker.ts'

// Which modules share a file. The bundler's own grouping, by how many pages need a module, makes a list 25 to 60 KB
// heavier: it takes what several forms share for what every page needs. So what forms need is named here, and of the
// rest what many pages need is one file (scripts/vite-chunks.ts).
const framework = packages('react', 'react-dom', 'scheduler', 'react-router', 'cookie')
const forms = anyOf(packages('react-hook-form', '@hookform'), ours(/^web\/core\/form\/form\.ts$/))
/** What each form needs, that of the login too. */
const fields = ours(
  /^web\/ui\/(?:inputs\/(?:Field|TextInput|PasswordInput)|Alert)\.tsx$|^web\/core\/form\/(?:alert-of|focus-field|FormAlert|FormReason)\.|^contract\/measure\.ts$/,
)
/** What is needed where something is written, a comment as well as a lesson. */
const writing = ours(
  /^web\/core\/storage\/(drafts|draft-store)\.ts$|^web\/ui\/inputs\/(TextArea|Checkbox)\.tsx$|^web\/core\/form\/(?:focus-refused|use-sending|SubmitButton)\.|^contract\/(?:comments|mail)\.ts$/,
)
/** What asks or warns: readers meet it after a press at the earliest. */
const dialogs = ours(/^web\/ui\/(?:styles\/dialog\.css|Dialog\.tsx)$/)
/** What a form needs that stands there before its rules. */
const formsAtNeed = ours(/^web\/core\/form\/(?:form-at-need|first-sign|empty-fields)\./)
/** What only pages with a file to choose need: readers of lists never load it. */
const files = ours(/^web\/ui\/inputs\/(?:PictureField|FileButton|dropped-file)\./)
/** What draws a picture in place of one that is chosen. */
const drawings = ours(/^contract\/(?:art|motifs)\.ts$|^web\/ui\/inputs\/draw-picture\./)
/** What only the forms of lessons and courses need. */
const itemForms = ours(/^web\/items\/form\//)
/** What only lists to choose from need: pages of one item, forms and the front page never load it. */
const lists = ours(
  /^web\/items\/list\/(?:ItemList|ListFilters|PageLinks|page-range|asked-bands|besides|list-head|list-words)\.|^web\/items\/nothing\/nothing-found\.|^web\/ui\/(?:Segment|Chip|Pager)\.tsx$/,
)
/** Books with their numbers: pages of one course, forms and the login never show one. */
const cards = ours(
  /^web\/items\/list\/(?:ItemCard|CourseItem|CardNumbers|MarkedText|book-state|opened-book)\.|^web\/ui\/books\/(?:Card|CardLink|CardGrid|Stat)\.|^web\/lessons\/LessonItem\./,
)
/** What reports an item, a comment or a person. */
const reports = ours(/^web\/flags\/(?:ReportButton|ReportAsk|report-subject)\./)
/** What the pages of single items share, locked and open ones. */
const details = ours(
  /^web\/items\/details\/(?:Figures|ItemActs|ItemFacts|item-head|responses|own-parts)\.|^web\/core\/router\/part-at-need\.|^web\/items\/(?:sharing\/ShareButton|asking\/(?:AskAuthor|ask-part))\.|^web\/lessons\/details\/(?:LessonFacts|lesson-parts)\.|^web\/courses\/details\/(?:CourseFacts|course-parts)\.|^web\/courses\/course-minutes\.|^web\/comments\/comment-count\.|^web\/(?:notes\/notes|ratings\/ratings|checks\/check|follows\/follow|certificates\/course\/certificate)-part\./,
)
/** What offers an item that is locked: who reads an open lesson needs it below the comments at most. */
const offers = ours(
  /^web\/items\/details\/(?:LockedItem|MoreLikeIt|ItemOffer)\.|^web\/purchases\/(?:GuestOffer|PriceBar)\./,
)
/** What knows times in a text, and the player that they start. */
const videoTimes = ours(
  /^web\/core\/video-times\/(?:times-in-text|VideoTimes)\.|^contract\/clock-time\.ts$/,
)
/** What open items of both kinds show: their text, their file, the way to who made them. */
const openItems = ours(
  /^web\/items\/WriteToOwner\.|^web\/lessons\/(?:article\/(?:ArticleView|article-levels|mark-times)|resource\/(?:resource-name|ResourceLink))\./,
)
/** Lines that pass: readers meet none before they act. */
const toasts = ours(/^web\/ui\/(?:styles\/toast\.css|Toast\.tsx)$/)
/** What only the lists of one's own need: guests have none. */
const ownItems = ours(
  /^web\/items\/list\/(?:OwnItems|Newest|Far|bought-query)\.|^web\/progress\/stages\.ts$/,
)
/** What stands beside forms and long texts: pages of items have none. */
const stallSide = ours(/^web\/ui\/books\/StallSide\./)
/** What only pages that judge what a person gives need. */
const schemas = anyOf(packages('zod'), ours(/^contract\/(?:tags|[\w-]+\.schemas)\.ts$/))
const shared = anyOf(
  packages('@lingui'),
  ours(/^(contract|web\/(core|ui|layout|items|lessons|likes|courses))\//),
  isBundlers,
)

/** What the browser gets; with `--ssr` what renders it. scripts/build.mjs says where it goes; scripts/dev-pages.ts serves the same from the sources. */
export default defineConfig(({ command, isSsrBuild }) => ({
  root: fileURLToPath(new URL('.', import.meta.url)),
  appType: 'custom',
  publicDir: false,
  plugins: [react(), messages(), serviceWorker(), brotli()],
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
              // One file that changes only when the framework does.
              codeSplitting: {
                includeDependenciesRecursively: false,
                groups: [
                  { name: 'vendor', test: framework, priority: 4 },
                  { name: 'form', test: forms, priority: 3 },
                  { name: 'forms-at-need', test: formsAtNeed, priority: 3 },
                  { name: 'files', test: files, priority: 3 },
                  { name: 'drawings', test: drawings, priority: 3 },
                  { name: 'item-form', test: itemForms, priority: 3 },
                  { name: 'lists', test: lists, priority: 3 },
                  { name: 'cards', test: cards, priority: 3 },
                  { name: 'reports', test: reports, priority: 3 },
                  { name: 'offers', test: offers, priority: 3 },
                  { name: 'details', test: details, priority: 3 },
                  { name: 'video-times', test: videoTimes, priority: 3 },
                  { name: 'open-items', test: openItems, priority: 3 },
                  { name: 'own-items', test: ownItems, priority: 3 },
                  { name: 'toasts', test: toasts, priority: 3 },
                  { name: 'stall-side', test: stallSide, priority: 3 },
                  { name: 'schemas', test: schemas, priority: 3 },
                  { name: 'fields', test: fields, priority: 3 },
                  { name: 'dialogs', test: dialogs, priority: 3 },
                  { name: 'writing', test: writing, priority: 3 },
                  // One file instead of thirty.
                  { name: nameShared, debugName: 'shared', test: shared, priority: 2 },
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
