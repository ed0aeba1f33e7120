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
const LINK = /^(?:https?:)?(?:\/\/)?([^/?#\s@:]+)(\/[^?#\s]*)?(?:\?([^#\s]*))?(?:#(\S*))?$/i
/** Invisible characters come along when a link is copied. */
const INVISIBLE = /\p{Cf}/gu
const ATTRIBUTE = /\s([a-z-]+)(?:\s?=\s?(?:"([^"]*)"|'([^']*)'|([^\s"'>]*)))?/gi

/** Seconds in which a video can begin. */
const LONGEST = 86_400

export interface LinkedVideo {
  /** 11 characters. */
  readonly id: string
  /** Second at which it begins; null if the link doesn't say. */
  readonly start: number | null
}

/**
 * The video of a link in any of YouTube's forms (watch, embed, e, v, u, shorts, live, youtu.be), or of the code that
 * YouTube offers for embedding. Null for everything else.
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

/** The id of a video's link, as `readVideo`. */
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
 * `https://www.youtube.com/embed/{id}`, with `?start={seconds}` if the link says where the video begins. Null when it is
 * not recognised.
 */
export function toEmbedUrl(link: string): string | null {
  const video = readVideo(link)
  return video === null ? null : embedUrl(video)
}

/** As `toEmbedUrl`, of a video that is known. */
export const embedUrl = ({ id, start }: LinkedVideo): string =>
  `https://www.youtube.com/embed/${id}${start === null ? '' : `?start=${start}`}`

/** Seconds of `90`, `90s` or `1h2m3s`; null for everything else. */
function secondsOf(time: string): number | null {
  const parts = /^(?:(\d{1,2})h)?(?:(\d{1,4})m)?(?:(\d{1,5})s?)?$/i.exec(time)
  if (parts === null || time === '') return null
  const [, hours = '0', minutes = '0', seconds = '0'] = parts
  const start = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  return start < LONGEST ? start : null
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
