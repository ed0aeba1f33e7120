/** What runs around calls, and around the coming and going of clients. */
import type { HubCall, HubEvents } from './hub.ts'
import type { HubContext } from './hub-context.ts'
import type { AnySide } from './signatures.ts'

/** Each must call `next` once to let it happen, and give what that gives; the first of a list is the outermost. */
export interface HubFilter<Client = AnySide> {
  /** Around a method that may run: arguments and policies have been asked. Of a stream `next` gives the iterable. */
  readonly invoke?: (call: HubCall<Client>, next: () => Promise<unknown>) => unknown
  /** Around `onConnected`. What it throws refuses the connection. */
  readonly connect?: (context: HubContext<Client>, next: () => Promise<void>) => unknown
  /** Around `onDisconnected`. */
  readonly disconnect?: (
    context: HubContext<Client>,
    error: Error | undefined,
    next: () => Promise<void>,
  ) => unknown
}

/** The invoking filters as one, or null when there is none. */
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

/** Runs what happens when a client has come, within the filters. */
export function runConnect({ filters, definition }: Around, context: HubContext): Promise<void> {
  const steps = filters.flatMap(({ connect }) => connect ?? [])
  const walk = async (place: number): Promise<void> => {
    await (place === steps.length
      ? definition.onConnected?.(context)
      : steps[place]?.(context, () => walk(place + 1)))
  }
  return walk(0)
}

/** Runs what happens when a client has gone, within the filters. */
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
