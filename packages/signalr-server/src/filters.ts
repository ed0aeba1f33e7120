/** Filters run around calls, connects and disconnects. */
import type { HubCall, HubEvents } from './hub.ts'
import type { HubContext } from './hub-context.ts'
import type { AnySide } from './signatures.ts'

/** Each function must call `next` once and return its result. The first filter is the outermost. */
export interface HubFilter<Client = AnySide> {
  /**
   * Runs around a method after its arguments and policies were checked. For a stream, `next` returns the iterable.
   */
  readonly invoke?: (call: HubCall<Client>, next: () => Promise<unknown>) => unknown
  /** Runs around `onConnected`. An error refuses the connection. */
  readonly connect?: (context: HubContext<Client>, next: () => Promise<void>) => unknown
  /** Runs around `onDisconnected`. */
  readonly disconnect?: (
    context: HubContext<Client>,
    error: Error | undefined,
    next: () => Promise<void>,
  ) => unknown
}

/** Combines the filters' `invoke` functions, or returns null if there are none. */
export function joinInvoke(
  filters: readonly HubFilter[],
): ((call: HubCall, run: () => unknown) => Promise<unknown>) | null {
  const steps = filters.flatMap(({ invoke }) => invoke ?? [])
  if (steps.length === 0) return null
  return (call, run) => {
    const walk = async (place: number): Promise<unknown> =>
      place === steps.length ? run() : steps[place]?.(call, () => walk(place + 1))
    return walk(0)
  }
}

interface Around {
  readonly filters: readonly HubFilter[]
  readonly definition: HubEvents
}

/** Runs `onConnected` within the filters. */
export function runConnect({ filters, definition }: Around, context: HubContext): Promise<void> {
  const steps = filters.flatMap(({ connect }) => connect ?? [])
  const walk = async (place: number): Promise<void> => {
    await (place === steps.length
      ? definition.onConnected?.(context)
      : steps[place]?.(context, () => walk(place + 1)))
  }
  return walk(0)
}

/** Runs `onDisconnected` within the filters. */
export function runDisconnect(
  { filters, definition }: Around,
  context: HubContext,
  error: Error | undefined,
): Promise<void> {
  const steps = filters.flatMap(({ disconnect }) => disconnect ?? [])
  const walk = async (place: number): Promise<void> => {
    await (place === steps.length
      ? definition.onDisconnected?.(context, error)
      : steps[place]?.(context, error, () => walk(place + 1)))
  }
  return walk(0)
}
