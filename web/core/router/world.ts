/** What a router carries for its loaders: on the server made for each request, in the browser once. */
import { createContext, RouterContextProvider } from 'react-router'
import type { Person } from '#contract/render.ts'
import { DEFAULT_LOCALE, type Locale } from '#contract/messages/messages.ts'
import type { Api } from '#web/core/api.ts'

export interface World {
  readonly api: Api
  readonly locale: () => Locale
  readonly person: () => Person | null
  /** What to do when a call says that nobody is signed in. */
  readonly forget: () => void
}

const worldContext = createContext<World>({
  api: () => Promise.reject(new Error('no world')),
  locale: () => DEFAULT_LOCALE,
  person: () => null,
  forget: () => {},
})

/** Packs the world as the context that the router hands to each loader. */
export function carry(world: World): RouterContextProvider {
  const provider = new RouterContextProvider()
  provider.set(worldContext, world)
  return provider
}

/** The world of a running loader. @throws when the router was not given one */
export function worldOf(provider: Readonly<RouterContextProvider>): World {
  return provider.get(worldContext)
}
