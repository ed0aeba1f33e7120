/** Video links: which are recognised, and the one form that is stored. */

const ID = /^[A-Za-z0-9_-]{11}$/
const HOSTS = new Set([
  'youtube.com',
  'www.youtube.com',
  'm.youtube.com',
  'music.youtube.com',
  'www.youtube-nocookie.com',
  'youtube-nocookie.com',
])
const PATHS = new Set(['embed', 'v', 'u', 'shorts', 'live'])
const LINK = /^(?:https?:)?(?:\/\/)?([^/?#\s@:]+)(\/[^?#\s]*)?(?:\?([^#\s]*))?(?:#\S*)?$/i

/** The 11-character id of a watch, embed, v, u, short, shorts or live link; null when it is none. */
export function videoId(link: string): string | null {
  const match = LINK.exec(link.trim())
  if (match === null) return null
  const host = (match[1] ?? '').toLowerCase()
  const parts = (match[2] ?? '/').split('/').filter((part) => part !== '')
  if (host === 'youtu.be') return idOrNull(parts[0])
  if (!HOSTS.has(host)) return null
  if (parts[0] === 'watch' && parts.length === 1) return idOrNull(queryValue(match[3] ?? '', 'v'))
  if (parts[0] !== undefined && PATHS.has(parts[0]))
    return idOrNull(parts.at(parts[0] === 'u' ? -1 : 1))
  return null
}

/** `https://www.youtube.com/embed/{id}`, the form that is stored and answered; null when not recognised. */
export function toEmbedUrl(link: string): string | null {
  const id = videoId(link)
  return id === null ? null : `https://www.youtube.com/embed/${id}`
}

function idOrNull(id: string | undefined): string | null {
  return id !== undefined && ID.test(id) ? id : null
}

function queryValue(query: string, name: string): string | undefined {
  return query
    .split('&')
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)
}
