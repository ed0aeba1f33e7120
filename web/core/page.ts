/** The parts of a page: its data, its head and its redirects. They are the same on the server and in the browser. */
import { redirect, useLoaderData, useRevalidator } from 'react-router'
import type { Person } from '#contract/render.ts'
import type { Locale } from '#contract/messages/messages.ts'
import type { Api } from '#web/core/api.ts'
import type { Texts } from '#web/core/i18n.tsx'

export interface PageArgs {
  readonly params: Readonly<Record<string, string | undefined>>
  readonly url: URL
  readonly api: Api
  /** Null for guests. */
  readonly person: Person | null
  readonly locale: Locale
  readonly signal: AbortSignal
}

/** The data must be JSON, because it travels in the HTML. Throws ApiError, or what `leave` returns. */
export type Loader<Data> = (args: PageArgs) => Promise<Data>

export interface PageHead {
  /** Without the product's name, which is appended. */
  readonly title: string
  readonly description?: string | undefined
  /** A path on this site. */
  readonly image?: string | undefined
  /** The path of the canonical URL. Default: the page's own path without its query. */
  readonly canonical?: string | undefined
  readonly jsonLd?: Readonly<Record<string, unknown>> | undefined
  /** The path of the Atom feed for this page. */
  readonly feed?: string | undefined
  /** Hides the page from search engines. */
  readonly hidden?: boolean | undefined
}

/** Origins that turn paths into absolute URLs in structured data: the site's own, and that of its pictures. */
export interface Origins {
  readonly site: string
  readonly pictures: string
}

/** The origins make paths in jsonLd absolute. */
export type HeadOf<Data> = (data: Data, texts: Texts, origins: Origins) => PageHead

/** Use in a loader: `throw leave(to.lessons())`. */
export const leave = (path: string): Response => redirect(path)

/** Use as `usePageData<typeof loader>()`. */
export function usePageData<L extends Loader<unknown>>(): Awaited<ReturnType<L>> {
  // The route table pairs each page with its loader.
  return useLoaderData<unknown>() as Awaited<ReturnType<L>>
}

/** Fetches the page's data again after a call that changed it. */
export function useReload(): () => Promise<void> {
  return useRevalidator().revalidate
}
