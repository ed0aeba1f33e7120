/**
 * The border between the server and the built web: what the server hands the renderer, and what it gets back. All of
 * it is plain data and functions, because the built web has its own copies of every class.
 */
import type { Session } from '#contract/accounts.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import type { Locale } from '#contract/messages/messages.ts'
import type { SiteNames } from '#contract/site.ts'

/** A signed-in person as pages show them. */
export type Person = Omit<Session, 'accessToken'>

/** What the configuration says and pages show. */
export interface Settings {
  /** Of links that leave the page: canonical addresses, sharing. */
  readonly origin: string
  /** By language, of which the reader may take another without a new page. */
  readonly names: SiteNames
  readonly mail: string
  readonly social: string
  /** Origin from which browsers fetch pictures (FILES_URL), where that is not the site's own. */
  readonly pictureOrigin?: string | undefined
  /** Percent of what is paid for an item that go to its author (AUTHOR_SHARE). */
  readonly authorShare: number
  /** Browsers keep what one has opened or unlocked last, to be read without a network. */
  readonly offlineReading: boolean
  /** Of the copyright line; fixed with the page, so that a year's turn can't break its hydration. */
  readonly year: number
}

/** A form without script that the server refused: it comes again with why. */
export interface RefusedForm {
  readonly status: number
  /** Translated, as everything below. */
  readonly message: string
  readonly fields: Readonly<Record<string, string>>
  /** What was given, but passwords and files. */
  readonly values: Readonly<Record<string, string>>
}

/** Addresses of the files of a page, or of a part of one. */
export interface PageAssets {
  /** The one that exports it; it is among the scripts too. */
  readonly script: string
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
}

/** Addresses of the files that a browser loads. */
export interface Assets {
  readonly script: string
  readonly styles: readonly string[]
  /** What a page needs besides, by its name in the route table: `lessons/LessonListPage`. */
  readonly pages: Readonly<Record<string, PageAssets>>
  /** A catalogue's file by its name: `en`, `en.desk`. */
  readonly messages: Readonly<Record<string, string>>
}

/** How a call that a page made came out. */
export type Outcome =
  | { readonly ok: true; readonly answer: unknown }
  | {
      readonly ok: false
      readonly status: number
      readonly message: string
      readonly fields: Readonly<Record<string, string>>
      /** Which refusal it is, by the key of its sentence. */
      readonly key?: string
    }

/** A page that is asked for. `Signal` is an AbortSignal, which this room knows neither from Node nor from the DOM. */
export interface RenderRequest<Signal> {
  /** Path and query. */
  readonly url: string
  readonly locale: Locale
  readonly person: Person | null
  readonly settings: Settings
  readonly refused: RefusedForm | null
  readonly assets: Assets
  /** `quiet` calls count no view. */
  readonly call: (call: Endpoint, input: unknown, quiet: boolean) => Promise<Outcome>
  /** Aborted when nobody waits for the page any more. */
  readonly signal: Signal
}

/** A page that was rendered. */
export interface Rendered {
  readonly status: number
  /** A path; the HTML is then empty. */
  readonly redirect: string | null
  readonly html: string
  /** What a page or loader threw by mistake, for the log. */
  readonly failure: unknown
}

/** What web/entry.server.tsx exports as `renderer`. */
export interface PageRenderer<Signal> {
  /** Texts of inline scripts, for the policy's hashes. */
  readonly inlineScripts: readonly string[]
  readonly render: (request: RenderRequest<Signal>) => Promise<Rendered>
}

/**
 * The renderer of a built entry, which no compiler has seen together with the server.
 *
 * @param entry the module's exports
 * @throws TypeError when it is not the entry of this product
 */
export function rendererOf<Signal>(entry: unknown): PageRenderer<Signal> {
  if (typeof entry === 'object' && entry !== null && 'renderer' in entry) {
    const { renderer } = entry
    if (isPageRenderer<Signal>(renderer)) return renderer
  }
  throw new TypeError('the built pages export no renderer: build them again')
}

function isPageRenderer<Signal>(given: unknown): given is PageRenderer<Signal> {
  return (
    typeof given === 'object' &&
    given !== null &&
    'render' in given &&
    typeof given.render === 'function' &&
    'inlineScripts' in given &&
    Array.isArray(given.inlineScripts)
  )
}
