/** How a resource is called: the file as its author named it, or the end of a link. */

/** Whether it is stored by us, and not a link elsewhere. */
export const isUpload = (resource: string): boolean => resource.startsWith('/files/')

/** The last part of its path in words, else its host. */
export function resourceName(resource: string): string {
  const path = isUpload(resource) ? resource : new URL(resource).pathname
  const last = path.split('/').findLast((part) => part !== '')
  if (last === undefined) return new URL(resource).host
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}
