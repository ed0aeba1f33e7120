/** True for an uploaded file; false for a link to another site. */
export const isUpload = (resource: string): boolean => resource.startsWith('/files/')

/** Returns the readable last part of the path, or else the host. */
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
