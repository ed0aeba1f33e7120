/** A line of the route table as a route: its guard, its loader, its page, its texts, all loaded when first needed. */
import type { ComponentType } from 'react'
import { nextPath, pathOf } from '#contract/next-path.ts'
import type { Person } from '#contract/render.ts'
import {
  data,
  type LazyRouteFunction,
  type LoaderFunctionArgs,
  redirect,
  type RouteObject,
} from 'react-router'
import { ApiError } from '#web/core/api-error.ts'
import { openDeskMessages } from '#web/core/messages/messages.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { inLanguageOf, to } from '#web/core/paths.ts'
import { worldOf } from '#web/core/router/world.ts'

/** Whom a page lets in; `owner` pages let the signed-in pass and their loader looks at `can`. */
export type PageAccess = 'all' | 'guest' | 'user' | 'owner' | 'administrator'

/** What `XPage.data.ts` exports: the page, and what it needs. */
export interface PageModule {
  readonly Page: ComponentType
  /** Stands at the top of <main>, in the cloth of the header: the front page's banner. */
  readonly Hero?: ComponentType<{ data: never }>
  /** The class of <main>; `wrap` by default. */
  readonly mainClass?: string
  readonly loader?: Loader<unknown>
  readonly head: HeadOf<never>
}

/** What the layout and the head read of the page that is shown. */
export interface PageHandle {
  readonly head: HeadOf<unknown>
  readonly Hero: ComponentType<{ data: unknown }> | undefined
  readonly mainClass: string
}

export interface PageLine {
  readonly path: string
  readonly access: PageAccess
  readonly page: () => Promise<PageModule>
  /** `desk`: its texts are in the catalogue of the desk and the account. */
  readonly texts: 'desk' | undefined
}

/** A line of the route table as a lazy route: the first page carries no code of others. */
export function routePage({ path, access, page, texts }: PageLine): RouteObject {
  const lazy: LazyRouteFunction<RouteObject> = async () => {
    const [module] = await Promise.all([page(), texts === 'desk' ? openDeskMessages() : null])
    // Page, hero and head of one line agree on their data; the table can't say so in types.
    const handle = {
      head: module.head,
      Hero: module.Hero,
      mainClass: module.mainClass ?? 'wrap',
    } as PageHandle
    const loader = (args: LoaderFunctionArgs) => load(access, module.loader, args)
    return { Component: module.Page, handle, loader }
  }
  return { path, id: path, lazy }
}

/** Statuses of calls that did not reach the product: no network, or a proxy that answers in its place. */
const AWAY: readonly number[] = [0, 502, 503, 504]

async function load(
  access: PageAccess,
  loader: Loader<unknown> | undefined,
  args: LoaderFunctionArgs,
) {
  const world = worldOf(args.context)
  const url = new URL(args.request.url)
  const person = world.person()
  const refuge = refugeOf(access, person, url) ?? factorless(person, url)
  if (refuge !== null) throw redirect(inLanguageOf(url, refuge))
  if (loader === undefined) return null
  const { api, locale } = world
  const { params, request } = args
  try {
    return await loader({ params, url, api, person, locale: locale(), signal: request.signal })
  } catch (error) {
    const led = error instanceof Response ? error.headers.get('location') : null
    if (led !== null) throw redirect(inLanguageOf(url, led))
    if (!(error instanceof ApiError)) throw error
    if (error.status === 401) {
      world.forget()
      throw redirect(inLanguageOf(url, to.login(pathOf(url))))
    }
    // Their session is older than the setting, or than the loss of their factor.
    if (error.key === 'factorDemandedOfAll')
      throw redirect(inLanguageOf(url, to.setUpFactor(pathOf(url))))
    const away = AWAY.includes(error.status)
    throw data({ message: error.message, key: error.key, away }, { status: error.status || 503 })
  }
}

/** What is read before one trusts a site, what ends a session, and where mailed links lead. */
const OPEN_TO_FACTORLESS =
  /^\/(?:about|privacy-policy|logout|profile\/second-factor|password\/\w+|email\/\w+)$/

/** Where somebody goes who has to set up a second factor before anything else is open to them, or null. */
function factorless(person: Person | null, url: URL): string | null {
  if (person?.factorless !== true || OPEN_TO_FACTORLESS.test(url.pathname)) return null
  return to.setUpFactor(pathOf(url))
}

/** Where to go instead of a page that is not for this person, or null. */
function refugeOf(access: PageAccess, person: Person | null, url: URL): string | null {
  switch (access) {
    case 'all':
      return null
    case 'guest':
      return person === null ? null : nextPath(url.searchParams.get('next'))
    case 'user':
    case 'owner':
      return person === null ? to.login(pathOf(url)) : null
    case 'administrator':
      return person?.role === 'administrator' ? null : to.home()
  }
}
