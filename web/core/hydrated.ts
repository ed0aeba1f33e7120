import { useSyncExternalStore } from 'react'

const never = () => () => {}

/**
 * False on the server and in the first paint, true afterwards: for what only the browser can know. On the server it is
 * no hook, so that comments can be written without React.
 */
export const useHydrated = import.meta.env.SSR ? () => false : useHydratedNow

function useHydratedNow(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
