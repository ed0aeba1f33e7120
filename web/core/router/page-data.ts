/** What the server's HTML tells the browser, as JSON in the page. */
import type { Locale } from '#contract/messages/messages.ts'
import type { Person } from '#web/core/session.ts'
import type { Settings } from '#web/core/settings.ts'

interface PageError {
  readonly status: number
  readonly statusText: string
  readonly data: unknown
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

export interface PageData {
  /** Path and query that the page was rendered for: unknown parameters are gone. */
  readonly url: string
  readonly locale: Locale
  readonly person: Person | null
  readonly settings: Settings
  readonly refused: RefusedForm | null
  readonly loaderData: Readonly<Record<string, unknown>>
  readonly errors: Readonly<Record<string, PageError>> | null
}

export const PAGE_DATA_ID = 'page'

/** JSON that may stand in a script element. */
export function writePageData(data: PageData): string {
  return JSON.stringify(data)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
}

export function readPageData(): PageData {
  // Written by writePageData of the same build.
  return JSON.parse(document.querySelector(`#${PAGE_DATA_ID}`)?.textContent ?? 'null') as PageData
}
