/** Hydrates the server's page. */
import { localeOf } from '#contract/messages/messages.ts'
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

// The server rendered the page without unknown parameters. The address must match, or hydration would differ.
if (page.url !== window.location.pathname + window.location.search) {
  const { origin, hash } = window.location
  window.history.replaceState(window.history.state, '', origin + page.url + hash)
}
startSession(page.person)
tabId()
const routes = createRoutes()
const messages = await loadCode().catch(async (error: unknown) => {
  // The page is readable without scripts. If an upgrade removed its files, a reload gets the new ones.
  await reloadIfUpgraded()
  throw error
})
const firstI18n = createI18n(page.locale, messages, page.settings.names)
activate(firstI18n)

const world = carry({
  api,
  locale: () => localeOf(document.documentElement.lang),
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
  // An insertion effect runs before effects that set the values of form fields.
  useInsertionEffect(noteSelection, [])
  // Effects run from the leaves up, so at this point every event handler of the page is attached.
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

/** Loads the code of the first page into its route, and the page's messages. */
async function loadCode(): Promise<Messages> {
  const found = (matchRoutes(routes, pathOf(page.url)) ?? []).map(({ route }) => route)
  // The route is resolved first, because it decides which messages are needed.
  const resolved = resolveRoutes(found)
  const [loaded] = await Promise.all([loadMessages(page.locale), resolved])
  return loaded
}

/** Errors arrive as plain data; this property makes the router recognize them. */
function hydrationOf({ loaderData, errors }: PageData): HydrationState {
  const marked = Object.entries(errors ?? {}).map(([id, error]) => [
    id,
    { ...error, internal: false },
  ])
  return { loaderData, errors: errors === null ? null : Object.fromEntries(marked) }
}

/** The page was rendered for a guest, but this browser stores a session whose token may still be valid. */
async function recoverSession(): Promise<void> {
  const stored = readStoredSession()
  if (page.person !== null || stored === null) return
  const token = await renew(stored.accessToken).catch(() => stored.accessToken)
  if (token === null) leavePerson()
  else adoptStoredSession()
}

/** Tells the service worker who is signed in, and stores for offline reading what that person has unlocked. */
async function prepareOffline(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  if (navigator.serviceWorker.controller === null && currentPerson() === null) return
  // A cached page may not know who is signed in, and there is no network to ask.
  if (!navigator.onLine && currentPerson() === null) return
  await beginOffline()
  if (!page.settings.offlineReading || currentPerson() === null) return
  await keepAhead('daily')
}

/** Offline reading is optional, so errors are ignored. */
const tryPrepareOffline = () => void prepareOffline().catch(() => undefined)

// The page shows data of the previous person, so a change of person, also in another tab, loads it again.
let shownFor = currentPerson()?._id
subscribe(() => {
  const person = currentPerson()?._id
  if (person === shownFor) return
  shownFor = person
  void router.revalidate()
  tryPrepareOffline()
})

const container = document.querySelector('#app')
if (container !== null) {
  // In a transition React hydrates in slices; otherwise this would be the longest time a phone doesn't respond.
  startTransition(() => {
    hydrateRoot(container, <App />)
  })
  stopNotingPresses()
}
void recoverSession().then(tryPrepareOffline)
warmOnApproach(routes)
