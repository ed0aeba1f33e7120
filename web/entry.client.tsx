/** Brings the server's page to life. */
import type { Messages } from '@lingui/core'
import { StrictMode, startTransition, useEffect, useInsertionEffect, useState } from 'react'
import { hydrateRoot } from 'react-dom/client'
import {
  createBrowserRouter,
  type DataStrategyFunction,
  type HydrationState,
  matchRoutes,
  type RouteObject,
  RouterProvider,
} from 'react-router'
import { api } from '#web/core/api.ts'
import { actAgain, noteSelection, stopNotingPresses } from '#web/core/early-acts.ts'
import { activate, createI18n } from '#web/core/i18n.tsx'
import { loadMessages, nameFirstTexts } from '#web/core/messages.ts'
import { type PageData, readPageData } from '#web/core/router/page-data.ts'
import { loadWhole } from '#web/core/router/page-view.ts'
import { renew } from '#web/core/renewal.ts'
import type { PageHandle, PageModule } from '#web/core/router/route-page.ts'
import { resolveRoutes } from '#web/core/router/resolve.ts'
import {
  adoptStoredSession,
  currentPerson,
  leavePerson,
  readStoredSession,
  startSession,
  subscribe,
} from '#web/core/session.ts'
import { tabId } from '#web/core/storage/tab.ts'
import { reloadIfUpgraded } from '#web/core/router/upgrade.ts'
import { warmOnApproach } from '#web/core/router/warm.ts'
import { carry } from '#web/core/router/world.ts'
import { endLoading } from '#web/layout/late-scripts.ts'
import { personPartsOf } from '#web/layout/person-parts.ts'
import { Providers } from '#web/layout/Providers.tsx'
import { createRoutes, PAGES, pagesOf } from '#web/router.ts'
import { PagesAway } from '#web/root.tsx'
import type { RouteLine } from '#web/routes.ts'

const page = readPageData()
const pathOf = (url: string) => url.split('?')[0] ?? '/'

// The page was rendered without the parameters nobody knows; the address follows, or hydration would differ.
if (page.url !== window.location.pathname + window.location.search) {
  const { origin, hash } = window.location
  window.history.replaceState(window.history.state, '', origin + page.url + hash)
}
startSession(page.person)
tabId()
nameFirstTexts(page.locale, page.texts)
/** After this time of a guest's page, in ms. */
const GUARD_MS = 1000
let away: typeof import('#web/core/router/network-away.ts') | undefined
let allPages: Promise<RouteObject[]> | undefined
const { routes, messages } = await loadCode().catch(async (error: unknown) => {
  // The page is readable as it came; files that an upgrade took away come with the next one.
  await reloadIfUpgraded()
  throw error
})
const firstI18n = createI18n(page.locale, messages, page.settings.names)
activate(firstI18n)

const world = carry({
  api,
  locale: () => (document.documentElement.lang === 'bg' ? 'bg' : 'en'),
  person: currentPerson,
  forget: leavePerson,
})
const router = createBrowserRouter(routes, {
  hydrationData: hydrationOf(page),
  getContext: () => world,
  // The first page is known. This is asked for every path that is not, or that another page might stand for as well.
  patchRoutesOnNavigation: async ({ path, patch, signal }) => {
    if (path === pathOf(page.url)) return
    try {
      patch(PAGES, await findPages())
    } catch (error) {
      if (!(await away?.keepPageWithout(error, signal))) throw error
    }
  },
  dataStrategy: (load) => (away === undefined ? loadPage(load) : away.keepPage(load)),
})
void guardSoon()

/** As the router does by itself. */
const loadPage: DataStrategyFunction = async ({ matches }) =>
  Object.fromEntries(
    await Promise.all(
      matches
        .filter(({ shouldLoad }) => shouldLoad)
        .map(async (match) => [match.route.id, await match.resolve()] as const),
    ),
  )

/** Fetches what keeps the open page when the network drops; the page itself does not wait for it. */
async function guardSoon(): Promise<void> {
  if (page.person === null) await new Promise((resolve) => setTimeout(resolve, GUARD_MS))
  const guard = await import('#web/core/router/network-away.ts').catch(() => undefined)
  guard?.guardPages(router)
  away = guard
}

function App() {
  const [i18n, setI18n] = useState(firstI18n)
  // Before fields are given to the forms that set their values.
  useInsertionEffect(noteSelection, [])
  // Effects run from the leaves up: when this one does, every handler of the page is there.
  useEffect(() => {
    actAgain()
    endLoading()
  }, [])
  return (
    <StrictMode>
      <Providers
        i18n={i18n}
        setI18n={setI18n}
        person={page.person}
        settings={page.settings}
        refused={page.refused}
      >
        <RouterProvider router={router} />
      </Providers>
    </StrictMode>
  )
}

/** The page, its view, the person's parts of the frame, and their texts: all of these name the texts that are needed. */
async function loadCode(): Promise<{ routes: RouteObject[]; messages: Messages }> {
  const [routes] = await Promise.all([
    loadFirstPage(),
    ...personPartsOf(page.person).map(({ load }) => load()),
  ])
  return { routes, messages: await loadMessages(page.locale) }
}

/** The tree with the page that the server names; while one develops, with all pages. */
async function loadFirstPage(): Promise<RouteObject[]> {
  const { path, access, name, file } = page.route
  // A file of this build, which exports what the table says.
  const line: RouteLine = [
    path,
    access,
    name,
    () => import(/* @vite-ignore */ file) as Promise<PageModule>,
  ]
  const routes = createRoutes(file === '' ? await findPages() : pagesOf([line]))
  const found = (matchRoutes(routes, pathOf(page.url)) ?? []).map(({ route }) => route)
  await resolveRoutes(found)
  await loadViews(found)
  return routes
}

/** All pages: their list is fetched when somebody is about to leave the first one. @throws PagesAway */
function findPages(): Promise<RouteObject[]> {
  return (allPages ??= import('#web/routes.ts').then(
    ({ routeTable }) => pagesOf(routeTable),
    (error: unknown) => {
      // What can't be had now is asked for again.
      allPages = undefined
      throw new PagesAway('the list of pages can’t be had', { cause: error })
    },
  ))
}

/** What the page's data ask for besides the page itself; who only reads gets the parts of it when they are needed. */
async function loadViews(found: readonly RouteObject[]): Promise<void> {
  const isRead = page.person === null && window.location.hash === ''
  for (const route of found) {
    const data = page.loaderData[route.id ?? '']
    // Only our own route table sets handles.
    const handle = route.handle as PageHandle | undefined
    const view = data === undefined ? undefined : handle?.viewOf?.(data)
    if (view !== undefined) await (isRead ? view.load() : loadWhole(view))
  }
}

/** Errors come as plain data; the router knows its own by this mark. */
function hydrationOf({ loaderData, errors }: PageData): HydrationState {
  const marked = Object.entries(errors ?? {}).map(([id, error]) => [
    id,
    { ...error, internal: false },
  ])
  return { loaderData, errors: errors === null ? null : Object.fromEntries(marked) }
}

/** The page was made for a guest, but this browser stores a session: its token may live, or the cookie. */
async function recoverSession(): Promise<void> {
  const stored = readStoredSession()
  if (page.person !== null || stored === null) return
  const token = await renew(stored.accessToken).catch(() => stored.accessToken)
  if (token === null) leavePerson()
  else adoptStoredSession()
}

/**
 * Where this browser keeps pages for reading without a network, the worker that does so learns who sits here; what they
 * have unlocked is kept before they open it.
 */
async function minding(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  if (navigator.serviceWorker.controller === null && currentPerson() === null) return
  // A page from memory may not know yet who sits here, and nobody can be asked.
  if (!navigator.onLine && currentPerson() === null) return
  const { beginOffline } = await import('#web/core/offline/worker-client.ts')
  await beginOffline()
  if (!page.settings.offlineReading || currentPerson() === null) return
  const { keepAhead } = await import('#web/core/offline/keep-ahead.ts')
  await keepAhead('daily')
}

/** All works without it. */
const mind = () => void minding().catch(() => undefined)

// Another person, here or in another tab: what the page shows was fetched for somebody else.
let shownFor = currentPerson()?._id
subscribe(() => {
  const person = currentPerson()?._id
  if (person === shownFor) return
  shownFor = person
  void router.revalidate()
  mind()
})

const container = document.querySelector('#app')
if (container !== null) {
  // As a transition React makes it in slices: on a phone it would be the longest time that the page answers nothing.
  startTransition(() => {
    hydrateRoot(container, <App />)
  })
  stopNotingPresses()
}
void recoverSession().then(mind)
warmOnApproach(findPages)
