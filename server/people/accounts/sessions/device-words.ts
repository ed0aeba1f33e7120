/**
 * Names the browser and system of a sign-in in words that people recognize. Only these words are stored, because
 * the User-Agent header reveals more than the list of sessions needs.
 */

/** Null where the header doesn't tell. */
export interface DeviceWords {
  readonly browser: string | null
  readonly system: string | null
}

/**
 * Marks that only these browsers write, in order: nearly all claim to be Chrome and Safari as well. Browsers on
 * iOS have marks of their own.
 */
const BROWSERS: readonly (readonly [name: string, marks: readonly string[]])[] = [
  ['Edge', ['Edg/', 'EdgA/', 'EdgiOS/']],
  ['Opera', ['OPR/', 'OPX/', 'OPT/']],
  ['Samsung Internet', ['SamsungBrowser/']],
  ['Yandex Browser', ['YaBrowser/']],
  ['Vivaldi', ['Vivaldi/']],
  ['DuckDuckGo', ['DuckDuckGo/', 'Ddg/']],
  ['Firefox', ['Firefox/', 'FxiOS/']],
  ['Chrome', ['Chrome/', 'CriOS/']],
  ['Safari', ['Safari/']],
  ['curl', ['curl/']],
  ['Python', ['python-requests/', 'Python-urllib/', 'aiohttp/', 'python-httpx/']],
  ['Node.js', ['undici', 'node-fetch/', 'axios/']],
  ['Go', ['Go-http-client/']],
  ['Java', ['okhttp/', 'Java-http-client/']],
]

/** Also in order; an iPad that requests desktop pages claims to be a Mac. */
const SYSTEMS: readonly (readonly [name: string, marks: readonly string[]])[] = [
  ['Android', ['Android']],
  ['iPhone', ['iPhone']],
  ['iPad', ['iPad']],
  ['ChromeOS', ['CrOS ']],
  ['Windows', ['Windows NT', 'Windows;']],
  ['macOS', ['Macintosh', 'Mac OS X']],
  ['Linux', ['Linux', 'X11;']],
]

/** Accepts a User-Agent header of any length and content. Never throws. */
export function describeDevice(agent: string): DeviceWords {
  return { browser: findName(BROWSERS, agent), system: findName(SYSTEMS, agent) }
}

function findName(names: typeof BROWSERS, agent: string): string | null {
  const found = names.find(([, marks]) => marks.some((mark) => agent.includes(mark)))
  return found?.[0] ?? null
}
