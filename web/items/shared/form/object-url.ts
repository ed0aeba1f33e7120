import { useMemo, useSyncExternalStore } from 'react'

/** Creates the URL with the first subscription and revokes it with the last. */
function urlOf(file: Blob | undefined) {
  let url: string | undefined
  return {
    read: () => url,
    subscribe: (changed: () => void) => {
      if (file === undefined) return () => {}
      const made = URL.createObjectURL(file)
      url = made
      changed()
      return () => {
        url = undefined
        URL.revokeObjectURL(made)
      }
    },
  }
}

/** Returns an object URL for a file; undefined on the server and without a file. */
export function useObjectUrl(file: Blob | undefined): string | undefined {
  const { read, subscribe } = useMemo(() => urlOf(file), [file])
  return useSyncExternalStore(subscribe, read, () => undefined)
}
