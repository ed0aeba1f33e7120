/** What a page is made of: its data, its head, its way of leaving. The same in both worlds. */
import { redirect, useLoaderData, useRevalidator } from 'react-router'
import type { Person } from '#contract/render.ts'
import type { Locale } from '#contract/messages/messages.ts'
import type { Api } from '#web/core/api.ts'
import type { Texts } from '#web/core/i18n.tsx'

export interface PageArgs {
  readonly params: Readonly<Record<string, string | undefined>>
  readonly url: URL
  readonly api: Api
  /** Who is looking; null for guests. */
  readonly person: Person | null
  readonly locale: Locale
  readonly signal: AbortSignal
}

/** A page's data, fetched before it is shown. JSON only: it travels in the HTML. @throws ApiError, or what `leave` gives */
export type Loader<Data> = (args: PageArgs) => Promise<Data>

export interface PageHead {
  /** Without the product's name, which is put after it. */
  readonly title: string
  readonly description?: string | undefined
  /** A path of ours. */
  readonly image?: string | undefined
  /** The path that is the one address of this content; the page's own without its query by default. */
  readonly canonical?: string | undefined
  readonly jsonLd?: Readonly<Record<string, unknown>> | undefined
  /** The path of the feed that tells what is new here. */
  readonly feed?: string | undefined
  /** Not for search engines. */
  readonly hidden?: boolean | undefined
}

/** What makes paths absolute in structured data: the site's own origin, and that of its pictures. */
export interface Origins {
  readonly site: string
  readonly pictures: string
}

/** A page's title and what search engines and previews read. `origins` make a path absolute, for jsonLd. */
export type HeadOf<Data> = (data: Data, texts: Texts, origins: Origins) => PageHead

/** Thrown in a loader: `throw leave(to.lessons())`. */
export const leave = (path: string): Response => redirect(path)

/** The page's data: `usePageData<typeof loader>()`. */
export function usePageData<L extends Loader<unknown>>(): Awaited<ReturnType<L>> {
  // The route table pairs each page with its loader.
  return useLoaderData<unknown>() as Awaited<ReturnType<L>>
}

/** Fetches the page's data again, after a call that changed it. */
export function useReload(): () => Promise<void> {
  return useRevalidator().revalidate
}
