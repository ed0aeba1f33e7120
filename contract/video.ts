/** Recognises YouTube links and converts them to the embed form. */

const ID = /^[A-Za-z0-9_-]{11}$/
/** Words in place of an id: YouTube plays a playlist or a channel's live stream. */
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
const LINK = /^(?:https?:)?(?:\/\/)?([^/?#\s@:]+)(\/[^?#\s]*)?(?:\?([^#\s]*))?(?:#(\S*))?$/i
/** Copied links can contain invisible characters. */
const INVISIBLE = /\p{Cf}/gu
const ATTRIBUTE = /\s([a-z-]+)(?:\s?=\s?(?:"([^"]*)"|'([^']*)'|([^\s"'>]*)))?/gi

/** The largest start position in seconds. */
const LONGEST = 86_400

export interface LinkedVideo {
  /** 11 characters. */
  readonly id: string
  /** Start in seconds, or null if the link has none. */
  readonly start: number | null
}

/**
 * Recognises all YouTube link forms (watch, embed, e, v, u, shorts, live, youtu.be) and YouTube's embed code.
 * Returns null for anything else.
 */
export function readVideo(given: string): LinkedVideo | null {
  const text = given.replaceAll(INVISIBLE, '').trim()
  const match = LINK.exec(/^<iframe\s/i.test(text) ? frameAddress(text) : text)
  const id = match === null ? null : idOf(match)
  if (id === null) return null
  const query = match?.[3] ?? ''
  const anchor = match?.[4] ?? ''
  const start = queryValue(query, 'start') ?? queryValue(query, 't') ?? queryValue(anchor, 't')
  return { id, start: start === undefined ? null : secondsOf(start) }
}

export const videoId = (link: string): string | null => readVideo(link)?.id ?? null

function idOf(match: RegExpExecArray): string | null {
  const host = (match[1] ?? '').toLowerCase()
  const parts = (match[2] ?? '/').split('/').filter((part) => part !== '')
  if (host === 'youtu.be') return idOrNull(parts[0])
  if (!HOSTS.has(host)) return null
  if (parts[0] === 'watch' && parts.length === 1) return idOrNull(queryValue(match[3] ?? '', 'v'))
  if (parts[0] !== undefined && PATHS.has(parts[0]))
    return idOrNull(parts.at(parts[0] === 'u' ? -1 : 1))
  return null
}

/**
 * Returns `https://www.youtube.com/embed/{id}`, with `?start={seconds}` if the link has a start. Returns null for
 * unknown links.
 */
export function toEmbedUrl(link: string): string | null {
  const video = readVideo(link)
  return video === null ? null : embedUrl(video)
}

export const embedUrl = ({ id, start }: LinkedVideo): string =>
  `https://www.youtube.com/embed/${id}${start === null ? '' : `?start=${start}`}`

/** Parses `90`, `90s` or `1h2m3s`. Returns null for anything else. */
function secondsOf(time: string): number | null {
  const parts = /^(?:(\d{1,2})h)?(?:(\d{1,4})m)?(?:(\d{1,5})s?)?$/i.exec(time)
  if (parts === null || time === '') return null
  const [, hours = '0', minutes = '0', seconds = '0'] = parts
  const start = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  return start < LONGEST ? start : null
}

/** Returns the address in an iframe's code, or '' if there is none. */
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
