/**
 * The places where the product sends a statement, found in its sources, and which of them a run of the product came
 * past, by what V8 counted (NODE_V8_COVERAGE). Types are blanked out when Node loads a file, so places are the same.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A place in the sources that sends a statement. */
export interface Site {
  /** Its file, from the root of the sources. */
  readonly file: string
  readonly line: number
  /** Its text on that line. */
  readonly text: string
}

interface Range {
  readonly startOffset: number
  readonly endOffset: number
  readonly count: number
}

/** What V8 writes of a process, as far as it is read here. */
interface Coverage {
  readonly result: readonly {
    readonly url: string
    readonly functions: readonly { readonly ranges: readonly Range[] }[]
  }[]
}

const ROOT = join(import.meta.dirname, '..', '..')
/** How a statement is sent; `compile` ends one that is compiled once, where it is first run. */
const SENDS =
  /(?<!transaction\(\)\s*)\.(?:execute|executeTakeFirst|executeTakeFirstOrThrow|compile|stream|query)\(/g
/** A file without these sends none. */
const DATABASE = /from '(?:kysely|pg|#server\/db\/[\w/]+\.ts)'/
/** What runs beside the product, or before it serves. */
const BESIDE = /^server\/(?:testing|demo)\/|\.test\.ts$/

/** Every place of the server that sends a statement, in the order of the files. */
export function findSites(): readonly (Site & { readonly offset: number })[] {
  return readdirSync(join(ROOT, 'server'), { recursive: true, encoding: 'utf8' })
    .map((name) => join('server', name))
    .filter((file) => file.endsWith('.ts') && !BESIDE.test(file))
    .toSorted()
    .flatMap((file) => {
      const source = readFileSync(join(ROOT, file), 'utf8')
      if (!DATABASE.test(source)) return []
      return [...source.matchAll(SENDS)].map(({ index }) => ({
        file,
        line: source.slice(0, index).split('\n').length,
        text: lineAt(source, index),
        offset: index,
      }))
    })
}

/** The places that no process came past whose coverage stands in one of the folders. */
export function findUnreached(folders: readonly string[]): readonly Site[] {
  const reports = folders.flatMap((folder) =>
    readdirSync(folder).map(
      // As V8 writes it.
      (name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Coverage,
    ),
  )
  const isReached = ({ file, offset }: { file: string; offset: number }) =>
    reports.some(({ result }) =>
      result.some(({ url, functions }) => {
        if (!url.startsWith('file:') || relative(ROOT, fileURLToPath(url)) !== file) return false
        const around = functions
          .flatMap(({ ranges }) => ranges)
          .filter(({ startOffset, endOffset }) => startOffset <= offset && offset < endOffset)
          .toSorted((one, other) => size(one) - size(other))
        return (around[0]?.count ?? 0) > 0
      }),
    )
  return findSites()
    .filter((site) => !isReached(site))
    .map(({ file, line, text }) => ({ file, line, text }))
}

const size = ({ startOffset, endOffset }: Range) => endOffset - startOffset

const lineAt = (source: string, at: number) =>
  source.slice(source.lastIndexOf('\n', at) + 1, source.indexOf('\n', at)).trim()
