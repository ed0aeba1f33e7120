/** Turns a line of the route table into a lazy route. */
import type { ComponentType } from 'react'
import { nextPath, pathOf } from '#contract/next-path.ts'
import type { Section } from '#contract/messages/messages.ts'
import type { Person } from '#contract/render.ts'
import {
  data,
  type LazyRouteFunction,
  type LoaderFunctionArgs,
  redirect,
  type RouteObject,
} from 'react-router'
import { ApiError } from '#web/core/api-error.ts'
import { openMessages } from '#web/core/messages/messages.ts'
import type { HeadOf, Loader } from '#web/core/page.ts'
import { inLanguageOf, to } from '#web/core/paths.ts'
import { worldOf } from '#web/core/router/world.ts'

/** `owner` pages let in everybody who is signed in; their loader checks `can`. */
export type PageAccess = 'all' | 'guest' | 'user' | 'owner' | 'administrator'

/** The exports of a page's `.data.ts` module. */
export interface PageModule {
  readonly Page: ComponentType
  /** Rendered at the top of <main> on the header's background, such as the front page's banner. */
  readonly Hero?: ComponentType<{ data: never }>
  /** The class of <main>. Default: `wrap`. */
  readonly mainClass?: string
  readonly loader?: Loader<unknown>
  readonly head: HeadOf<never>
}

/**
 * `name` is the page's component, by which the server finds its chunks in the build's manifest. `page`
 * imports its data module, which exports the page too: both become one chunk, and a changed component is replaced
 * in place. `desk` marks pages whose texts are in that section: desk, account and privacy policy.
 */
export type RouteLine = readonly [
  path: string,
  access: PageAccess,
  name: string,
  page: () => Promise<PageModule>,
  texts?: 'desk',
]

/** The part of a page's module that the layout and the head read. */
export interface PageHandle {
  readonly head: HeadOf<unknown>
  readonly Hero: ComponentType<{ data: unknown }> | undefined
  readonly mainClass: string
}

export interface PageLine {
  readonly path: string
  readonly access: PageAccess
  readonly page: () => Promise<PageModule>
  /** `desk` loads the texts of the desk and the account. */
  readonly texts: 'desk' | undefined
}

/** The sections of texts that a page needs besides those for readers. */
export const sectionsOf = (access: PageAccess, texts: PageLine['texts']): Section[] => [
  ...(access === 'all' || access === 'guest' ? [] : ['members' as const]),
  ...(texts === undefined ? [] : [texts]),
]

/** Makes a lazy route, so that the first page loads no code of others. */
export function routePage({ path, access, page, texts }: PageLine): RouteObject {
  const lazy: LazyRouteFunction<RouteObject> = async () => {
    const [module] = await Promise.all([page(), openMessages(sectionsOf(access, texts))])
    // Page, hero and head of a module use the same data type, which the table cannot express.
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

/** Statuses that mean the server was not reached: no network, or an error of a proxy in front of it. */
const AWAY: readonly number[] = [0, 502, 503, 504]

async function load(
  access: PageAccess,
  loader: Loader<unknown> | undefined,
  args: LoaderFunctionArgs,
) {
  const world = worldOf(args.context)
  const url = new URL(args.request.url)
  const person = world.person()
  const target = redirectTarget(access, person, url) ?? factorless(person, url)
  if (target !== null) throw redirect(inLanguageOf(url, target))
  if (loader === undefined) return null
  const { api, locale } = world
  const { params, request } = args
  try {
    return await loader({ params, url, api, person, locale: locale(), signal: request.signal })
  } catch (error) {
    const redirectedTo = error instanceof Response ? error.headers.get('location') : null
    if (redirectedTo !== null) throw redirect(inLanguageOf(url, redirectedTo))
    if (!(error instanceof ApiError)) throw error
    if (error.status === 401) {
      world.forget()
      throw redirect(inLanguageOf(url, to.login(pathOf(url))))
    }
    // The session is older than the setting that requires a second factor, or the user's factor was removed.
    if (error.key === 'factorDemandedOfAll')
      throw redirect(inLanguageOf(url, to.setUpFactor(pathOf(url))))
    const away = AWAY.includes(error.status)
    throw data({ message: error.message, key: error.key, away }, { status: error.status || 503 })
  }
}

/** Information about the site, sign-out, the setup of a second factor, and pages that e-mails link to. */
const OPEN_TO_FACTORLESS =
  /^\/(?:about|privacy-policy|logout|profile\/second-factor|password\/\w+|email\/\w+)$/

/** Redirects people who must set up a second factor before they can use the site. */
function factorless(person: Person | null, url: URL): string | null {
  if (person?.factorless !== true || OPEN_TO_FACTORLESS.test(url.pathname)) return null
  return to.setUpFactor(pathOf(url))
}

/** Returns null if the person may see the page. */
function redirectTarget(access: PageAccess, person: Person | null, url: URL): string | null {
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
