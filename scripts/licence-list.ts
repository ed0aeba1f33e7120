/** The licences of everything that is installed: what may be used, and the list that stands in docs/licences.md. */
import { readdirSync, readFileSync } from 'node:fs'

/** Where a package ends up. */
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
  /** One of our own packages. */
  readonly link?: boolean
  readonly license?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** Licences that ask for no more than to be named, and those whose terms are met by using the package as it is. */
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
    // libvips, a library that sharp loads and that anybody may replace.
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

/** Packages whose metadata name no licence; their own files do. */
const READ_BY_HAND: Readonly<Record<string, string>> = {
  busboy: 'MIT',
  'combine-errors': 'MIT',
  dicer: 'MIT',
  'humanize-number': 'MIT',
  // Nowhere, in its source neither. It is loaded by the tests' bucket (s3rver) and goes no further.
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

/** Every package of package-lock.json, those of other platforms too. */
export function readLocked(): Locked[] {
  const entries = readEntries()
  const shown = findShown(entries)
  return Object.entries(entries)
    .filter(([path, { link = false }]) => path.startsWith(FOLDER) && !link)
    .map(([path, { dev = false, license }]) => {
      const name = path.slice(path.lastIndexOf(FOLDER) + FOLDER.length)
      const place = shown.has(path) && dev ? 'browser' : dev ? 'development' : 'server'
      return { name, place, licence: license ?? READ_BY_HAND[name] ?? '' } as const
    })
}

/** Whether a licence may be used there: of `A OR B` one is enough, of `A AND B` both are needed. */
export function isAllowed({ place, licence }: Pick<Locked, 'place' | 'licence'>): boolean {
  return licence
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((name) => ALLOWED[place].includes(name)))
}

/** docs/licences.md: names by place and licence. Without versions, which change every week and say nothing here. */
export function writeList(locked: readonly Locked[]): string {
  const lines = PLACES.flatMap((place) => {
    const here = locked.filter((one) => one.place === place)
    const licences = [...new Set(here.map(({ licence }) => licence))].toSorted()
    return [
      `## ${PLACE_TITLES[place]}`,
      '',
      ...licences.map((licence) => {
        const names = here.filter((one) => one.licence === licence).map(({ name }) => name)
        return `- **${licence === '' ? 'none named' : licence}**: ${[...new Set(names)].toSorted().join(', ')}`
      }),
      '',
    ]
  })
  return [
    '# Licences of what is used',
    '',
    'Made by `npm run licences` from package-lock.json, packages of other platforms included; a test fails when it is not',
    'of the present tree, or when a licence is not among those that may be used (`scripts/licence-list.ts`). The text of',
    'each licence stands in the package.',
    '',
    ...lines,
  ].join('\n')
}

function readEntries(): Readonly<Record<string, Entry>> {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, Entry>
  }
  return lock.packages
}

/** Paths of the packages that the web imports, and of its fonts, with what these need. */
function findShown(entries: Readonly<Record<string, Entry>>): ReadonlySet<string> {
  const sources = readdirSync('web', { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(ts|tsx|css)$/.test(path) && !/\.test\.tsx?$/.test(path))
    .map((path) => readFileSync(`web/${path}`, 'utf8'))
    .join('\n')
  const shown = new Set<string>()
  const add = (path: string) => {
    const entry = entries[path]
    if (entry === undefined || shown.has(path)) return
    shown.add(path)
    for (const name of Object.keys({ ...entry.dependencies, ...entry.peerDependencies }))
      add(resolve(entries, path, name))
  }
  for (const path of Object.keys(entries)) if (path.startsWith(FONTS)) add(path)
  for (const [, name = ''] of sources.matchAll(
    /(?:from|import|url)\s*\(?\s*['"]((?:@[\w-]+\/)?[\w-]+)/g,
  ))
    add(`${FOLDER}${name}`)
  return shown
}

/** Where a package finds another: beside it, or in a folder further up. */
function resolve(entries: Readonly<Record<string, Entry>>, from: string, name: string): string {
  for (let folder = from; folder !== '';) {
    const path = `${folder}/${FOLDER}${name}`
    if (entries[path] !== undefined) return path
    const cut = folder.lastIndexOf(`/${FOLDER}`)
    folder = cut === -1 ? '' : folder.slice(0, cut)
  }
  return `${FOLDER}${name}`
}
