/** What a router provides to its loaders. The server makes one for each request, the browser makes one. */
import { createContext, RouterContextProvider } from 'react-router'
import type { Person } from '#contract/render.ts'
import { DEFAULT_LOCALE, type Locale } from '#contract/messages/messages.ts'
import type { Api } from '#web/core/api.ts'

export interface World {
  readonly api: Api
  readonly locale: () => Locale
  readonly person: () => Person | null
  /** Called if the API answers that nobody is signed in. */
  readonly forget: () => void
}

const worldContext = createContext<World>({
  api: () => Promise.reject(new Error('no world')),
  locale: () => DEFAULT_LOCALE,
  person: () => null,
  forget: () => {},
})

/** Packs the world as the context that react-router passes to each loader. */
export function carry(world: World): RouterContextProvider {
  const provider = new RouterContextProvider()
  provider.set(worldContext, world)
  return provider
}

export function worldOf(provider: Readonly<RouterContextProvider>): World {
  return provider.get(worldContext)
}
