/** Video links: which are recognised, and the form in which a video is answered. */

const ID = /^[A-Za-z0-9_-]{11}$/
/** Words that stand where an id would: YouTube plays a playlist or a channel's live stream there. */
const RESERVED: ReadonlySet<string> = new Set(['videoseries', 'live_stream'])
const HOSTS = new Set([
  'youtube.com',
  'www.youtube.com',
  'm.youtube.com',
  'music.youtube.com',
  'www.youtube-nocookie.com',
  'youtube-nocookie.com',
])
const PATHS = new Set(['embed', 'e', 'v', 'u', 'shorts', 'live'])
const LINK = /^(?:https?:)?(?:\/\/)?([^/?#\s@:]+)(\/[^?#\s]*)?(?:\?([^#\s]*))?(?:#\S*)?$/i
/** Invisible characters come along when a link is copied. */
const INVISIBLE = /\p{Cf}/gu
const ATTRIBUTE = /\s([a-z-]+)(?:\s?=\s?(?:"([^"]*)"|'([^']*)'|([^\s"'>]*)))?/gi

/**
 * The 11-character id of a link in any of YouTube's forms (watch, embed, e, v, u, shorts, live, youtu.be), or of the
 * code that YouTube offers for embedding. Null for everything else.
 */
export function videoId(given: string): string | null {
  const text = given.replaceAll(INVISIBLE, '').trim()
  const match = LINK.exec(/^<iframe\s/i.test(text) ? frameAddress(text) : text)
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

/** The address in the code of a frame; empty if it has none. */
function frameAddress(code: string): string {
  const tag = code.slice('<iframe'.length)
  for (const [, name = '', double, single, bare] of tag.matchAll(ATTRIBUTE))
    if (name.toLowerCase() === 'src')
      return (double ?? single ?? bare ?? '').trim().replaceAll('&amp;', '&')
  return ''
}

function idOrNull(id: string | undefined): string | null {
  return id !== undefined && ID.test(id) && !RESERVED.has(id) ? id : null
}

function queryValue(query: string, name: string): string | undefined {
  return query
    .split('&')
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)
}
