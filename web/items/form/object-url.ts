import { useMemo, useSyncExternalStore } from 'react'

/** Made when somebody looks, freed when nobody does. */
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

/** An address for a file that the browser holds; undefined on the server and without a file. */
export function useObjectUrl(file: Blob | undefined): string | undefined {
  const { read, subscribe } = useMemo(() => urlOf(file), [file])
  return useSyncExternalStore(subscribe, read, () => undefined)
}
