/** Brings the server's page to life. */
import type { Messages } from '@lingui/core'
import { StrictMode, startTransition, useEffect, useInsertionEffect, useState } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { createBrowserRouter, type HydrationState, matchRoutes, RouterProvider } from 'react-router'
import { api } from '#web/core/api.ts'
import { actAgain, noteSelection, stopNotingPresses } from '#web/core/early-acts.ts'
import { activate, createI18n } from '#web/core/i18n.tsx'
import { loadMessages } from '#web/core/messages/messages.ts'
import { keepAhead } from '#web/core/offline/keep-ahead.ts'
import { beginOffline } from '#web/core/offline/worker-client.ts'
import { guardPages, keepPage } from '#web/core/router/network-away.ts'
import { type PageData, readPageData } from '#web/core/router/page-data.ts'
import { renew } from '#web/core/renewal.ts'
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
import { Providers } from '#web/layout/Providers.tsx'
import { createRoutes } from '#web/router.ts'

const page = readPageData()
const pathOf = (url: string) => url.split('?')[0] ?? '/'

// The page was rendered without the parameters nobody knows; the address follows, or hydration would differ.
if (page.url !== window.location.pathname + window.location.search) {
  const { origin, hash } = window.location
  window.history.replaceState(window.history.state, '', origin + page.url + hash)
}
startSession(page.person)
tabId()
const routes = createRoutes()
const messages = await loadCode().catch(async (error: unknown) => {
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
  dataStrategy: keepPage,
})
guardPages(router)

function App() {
  const [i18n, setI18n] = useState(firstI18n)
  // Before fields are given to the forms that set their values.
  useInsertionEffect(noteSelection, [])
  // Effects run from the leaves up: when this one does, every handler of the page is there.
  useEffect(actAgain, [])
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

/** Loads the first page's code into its route; resolves with the texts of its language. */
async function loadCode(): Promise<Messages> {
  const found = (matchRoutes(routes, pathOf(page.url)) ?? []).map(({ route }) => route)
  // The route comes first: it says which texts it needs.
  const resolved = resolveRoutes(found)
  const [loaded] = await Promise.all([loadMessages(page.locale), resolved])
  return loaded
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
  await beginOffline()
  if (!page.settings.offlineReading || currentPerson() === null) return
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
warmOnApproach(routes)
