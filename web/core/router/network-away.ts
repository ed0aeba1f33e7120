/**
 * Keeps the open page while the server is unreachable: a failed navigation is undone, a failed revalidation keeps the
 * old data, and a notice offers to retry. Other errors go to the error page.
 */
import type { DataRouter, DataStrategyFunction, DataStrategyResult, Location } from 'react-router'
import { to } from '#web/core/paths.ts'
import { offerRetry } from '#web/core/router/retry.ts'
import { isRecord } from '#web/core/shape.ts'

const PROBE_MS = 5000

type Results = Record<string, DataStrategyResult>

let router: DataRouter | undefined
/** The history index of the open page, as react-router numbers entries. */
let entry: unknown
/** True while the next load is the step back to the open page. */
let isStaying = false

/** Call it once, with the router that uses `keepPage`. */
export function guardPages(made: DataRouter): void {
  router = made
  entry = entryNow()
  made.subscribe(({ navigation }) => {
    if (navigation.state === 'idle') entry = entryNow()
  })
}

const entryNow = (): unknown =>
  isRecord(window.history.state) ? window.history.state['idx'] : null

/** Loads as react-router does by default, but keeps the open page if the server is unreachable. */
export const keepPage: DataStrategyFunction = async ({ request, matches }) => {
  const wanted = matches.filter(({ shouldLoad }) => shouldLoad)
  const kept = isOpenPage(request.url) ? dataOf(wanted.map(({ route }) => route.id)) : null
  if (isStaying && kept !== null) {
    isStaying = false
    return kept
  }
  const loaded = await Promise.all(
    wanted.map(async (match) => [match.route.id, await match.resolve()] as const),
  )
  const results: Results = Object.fromEntries(loaded)
  const failed = loaded.find(([, { type }]) => type === 'error')?.[1].result
  if (request.signal.aborted) return results
  if (failed === undefined) {
    offerRetry(null)
    return results
  }
  if (!(await isAway(failed)) || request.signal.aborted) return results
  if (kept !== null) {
    offerRetry(() => void router?.revalidate())
    return kept
  }
  await stay(request.signal)
  return results
}

/** Undoes the current navigation, and resolves when the router has aborted it. */
async function stay(signal: AbortSignal): Promise<void> {
  const { location, navigation } = router?.state ?? {}
  const ahead = navigation?.location
  if (router === undefined || location === undefined || ahead === undefined) return
  const steps = Number(entry) - Number(entryNow())
  // The service worker may have the page stored as a document.
  if (!navigator.onLine && (navigator.serviceWorker?.controller ?? null) !== null) {
    if (steps === 0) window.location.assign(addressOf(ahead))
    else window.location.reload()
  } else {
    isStaying = true
    const again = router
    offerRetry(() => void again.navigate(addressOf(ahead), { state: ahead.state as unknown }))
    // Back and forward have already moved the history.
    if (Number.isFinite(steps) && steps !== 0) window.history.go(steps)
    else
      void router.navigate(addressOf(location), {
        replace: true,
        preventScrollReset: true,
        state: location.state as unknown,
      })
  }
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

const addressOf = ({ pathname, search, hash }: Location) => pathname + search + hash

function isOpenPage(url: string): boolean {
  const { pathname, search } = new URL(url)
  const open = router?.state.location
  return open?.pathname === pathname && open.search === search
}

/** The open page's loader data, or null if loading it failed. */
function dataOf(routes: readonly string[]): Results | null {
  const { loaderData = {}, errors = null } = router?.state ?? {}
  if (errors !== null || routes.some((route) => !Object.hasOwn(loaderData, route))) return null
  return Object.fromEntries(
    routes.map((route) => [route, { type: 'data', result: loaderData[route] as unknown }]),
  )
}

/** Asks the server about an unknown error, because a missing script file may also mean a new deployment. */
async function isAway(error: unknown): Promise<boolean> {
  if (error instanceof Response) return false
  // A loader's refusal, as route-page.ts packs it.
  const packed = isRecord(error) ? error['data'] : undefined
  if (isRecord(packed)) return packed['away'] === true
  if (!navigator.onLine) return true
  try {
    await fetch(to.about(), { cache: 'no-store', signal: AbortSignal.timeout(PROBE_MS) })
    return false
  } catch {
    return true
  }
}
