/**
 * The interface between the server and the built web. It uses plain data and functions, because the built web has
 * its own copies of all classes.
 */
import type { Session } from '#contract/accounts.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import type { Locale } from '#contract/messages/messages.ts'
import type { SiteNames } from '#contract/site.ts'

export type Person = Omit<Session, 'accessToken'>

/** Configuration values that pages show. */
export interface Settings {
  /** For links that leave the page: canonical URLs, sharing. */
  readonly origin: string
  /** In English, and in languages whose catalogue has another name: readers can change the language without a new page. */
  readonly names: SiteNames
  /** Path of the site's own logo. */
  readonly logo?: string | undefined
  /** Path of the style sheet with the site's own colours. */
  readonly accent?: string | undefined
  readonly mail: string
  readonly social: string
  /** Origin of pictures (FILES_URL), if it differs from the site's own. */
  readonly pictureOrigin?: string | undefined
  /** Percentage of an item's price that its author receives (AUTHOR_SHARE). */
  readonly authorShare: number
  /** Browsers store recently opened and unlocked lessons for reading offline. */
  readonly offlineReading: boolean
  /** Year of the copyright line. Fixed at rendering, so that hydration matches after New Year. */
  readonly year: number
}

/** A form submitted without JavaScript that the server refused, shown again with the errors. */
export interface RefusedForm {
  readonly status: number
  /** Translated, like all texts of this type. */
  readonly message: string
  readonly fields: Readonly<Record<string, string>>
  /** Submitted values except passwords and files. */
  readonly values: Readonly<Record<string, string | string[]>>
  /** The lesson that a new one repeats, if publishing would earn nothing for that reason. */
  readonly older?: { readonly id: number; readonly title: string }
}

export interface PageAssets {
  /** The script that exports it, which is also in `scripts`. */
  readonly script: string
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
}

export interface Assets {
  readonly script: string
  readonly styles: readonly string[]
  /** Additional files of a page by its name in the route table: `LessonListPage`. */
  readonly pages: Readonly<Record<string, PageAssets>>
  /** File of a catalogue by its name: `en.readers`, `en.desk`. */
  readonly messages: Readonly<Record<string, string>>
}

/** The result of a page's call. */
export type Outcome =
  | { readonly ok: true; readonly answer: unknown }
  | {
      readonly ok: false
      readonly status: number
      readonly message: string
      readonly fields: Readonly<Record<string, string>>
      /** The key of the refusal's message. */
      readonly key?: string
    }

/** `Signal` is an AbortSignal, whose type is missing here without Node and DOM types. */
export interface RenderRequest<Signal> {
  /** Path and query. */
  readonly url: string
  readonly locale: Locale
  readonly person: Person | null
  readonly settings: Settings
  readonly refused: RefusedForm | null
  readonly assets: Assets
  /** `quiet` calls don't count a view. */
  readonly call: (call: Endpoint, input: unknown, quiet: boolean) => Promise<Outcome>
  /** Aborted when nobody waits for the page any more. */
  readonly signal: Signal
}

export interface Rendered {
  readonly status: number
  /** A path; the HTML is then empty. */
  readonly redirect: string | null
  readonly html: string
  /** An unexpected error of a page or loader, for the log. */
  readonly failure: unknown
}

/** Exported as `renderer` by web/entry.server.tsx. */
export interface PageRenderer<Signal> {
  /** Texts of inline scripts, which are hashed for the content security policy. */
  readonly inlineScripts: readonly string[]
  readonly render: (request: RenderRequest<Signal>) => Promise<Rendered>
}

/**
 * Checks the exports of a built entry at run time, because it is not compiled together with the server.
 * @throws TypeError when the module is not the entry of this product
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
