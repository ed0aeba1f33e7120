/** Checks and lists the licences of all packages. */
import { readdirSync, readFileSync } from 'node:fs'

/** Where a package is used. */
const PLACES = ['server', 'browser', 'development'] as const
type Place = (typeof PLACES)[number]

interface Locked {
  readonly name: string
  readonly place: Place
  /** An SPDX expression; empty when the package names none. */
  readonly licence: string
}

interface Entry {
  readonly dev?: boolean
  /** True for our own packages. */
  readonly link?: boolean
  readonly license?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** Licences that only require attribution, or whose terms are met by using the unmodified package. */
const ALLOWED: Readonly<Record<Place, readonly string[]>> = {
  server: [
    'MIT',
    'MIT-0',
    'ISC',
    '0BSD',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'Apache-2.0',
    'BlueOak-1.0.0',
    'Python-2.0',
    // libvips, a library that sharp loads dynamically and that users can replace.
    'LGPL-3.0-or-later',
  ],
  browser: [
    'MIT',
    'ISC',
    '0BSD',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'Apache-2.0',
    'BlueOak-1.0.0',
    'OFL-1.1',
    'Unlicense',
  ],
  development: [
    'MIT',
    'MIT-0',
    'ISC',
    '0BSD',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'Apache-2.0',
    'BlueOak-1.0.0',
    'MPL-2.0',
    'OFL-1.1',
    'PSF-2.0',
    'Unlicense',
    'Zlib',
    'unstated',
  ],
}

/** Packages without a licence in their metadata. Their own files state one. */
const READ_BY_HAND: Readonly<Record<string, string>> = {
  busboy: 'MIT',
  'combine-errors': 'MIT',
  dicer: 'MIT',
  'humanize-number': 'MIT',
  // Its source states none either. Only the tests' S3 server (s3rver) uses it.
  only: 'unstated',
  streamsearch: 'MIT',
}

const FOLDER = 'node_modules/'
const FONTS = `${FOLDER}@fontsource-variable/`
const PLACE_TITLES: Readonly<Record<Place, string>> = {
  server: 'On the server',
  browser: 'In the pages that browsers load',
  development: 'For development and tests alone',
}

/** Returns every package of package-lock.json, including those of other platforms. */
export function readLocked(): Locked[] {
  const entries = readEntries()
  const inBrowser = findInBrowser(entries)
  return Object.entries(entries)
    .filter(([path, { link = false }]) => path.startsWith(FOLDER) && !link)
    .map(([path, { dev = false, license }]) => {
      const name = path.slice(path.lastIndexOf(FOLDER) + FOLDER.length)
      const place = inBrowser.has(path) && dev ? 'browser' : dev ? 'development' : 'server'
      return { name, place, licence: license ?? READ_BY_HAND[name] ?? '' } as const
    })
}

/** Returns whether a licence is allowed. `A OR B` needs one of them, `A AND B` both. */
export function isAllowed({ place, licence }: Pick<Locked, 'place' | 'licence'>): boolean {
  return licence
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((name) => ALLOWED[place].includes(name)))
}

/** Lists the names of packages by use and licence. */
export function formatList(locked: readonly Locked[]): string {
  const lines = PLACES.flatMap((place) => {
    const here = locked.filter((one) => one.place === place)
    const licences = [...new Set(here.map(({ licence }) => licence))].toSorted()
    return [
      `${PLACE_TITLES[place]}:`,
      ...licences.map((licence) => {
        const names = here.filter((one) => one.licence === licence).map(({ name }) => name)
        const listed = [...new Set(names)].toSorted().join(', ')
        return `  ${licence === '' ? 'none named' : licence}: ${listed}`
      }),
      '',
    ]
  })
  return lines.join('\n')
}

function readEntries(): Readonly<Record<string, Entry>> {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, Entry>
  }
  return lock.packages
}

/** Returns the paths of packages that the web imports, including fonts and dependencies. */
function findInBrowser(entries: Readonly<Record<string, Entry>>): ReadonlySet<string> {
  const sources = readdirSync('web', { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(ts|tsx|css)$/.test(path) && !/\.test\.tsx?$/.test(path))
    .map((path) => readFileSync(`web/${path}`, 'utf8'))
    .join('\n')
  const inBrowser = new Set<string>()
  const add = (path: string) => {
    const entry = entries[path]
    if (entry === undefined || inBrowser.has(path)) return
    inBrowser.add(path)
    for (const name of Object.keys({ ...entry.dependencies, ...entry.peerDependencies }))
      add(resolve(entries, path, name))
  }
  for (const path of Object.keys(entries)) if (path.startsWith(FONTS)) add(path)
  for (const [, name = ''] of sources.matchAll(
    /(?:from|import|url)\s*\(?\s*['"]((?:@[\w-]+\/)?[\w-]+)/g,
  ))
    add(`${FOLDER}${name}`)
  return inBrowser
}

/** Resolves a package as Node does: next to the importer or in a parent folder. */
function resolve(entries: Readonly<Record<string, Entry>>, from: string, name: string): string {
  for (let folder = from; folder !== '';) {
    const path = `${folder}/${FOLDER}${name}`
    if (entries[path] !== undefined) return path
    const cut = folder.lastIndexOf(`/${FOLDER}`)
    folder = cut === -1 ? '' : folder.slice(0, cut)
  }
  return `${FOLDER}${name}`
}
