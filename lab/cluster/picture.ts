/** Describes a running cluster for people and for other processes that harm it. */
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Failure } from '#scripts/status.mjs'
import type { NetworkPlan } from './network.ts'

export const FOLDER = join(tmpdir(), 'kb-cluster-')
const FILE = 'picture.json'

export interface PictureOfPart {
  readonly name: string
  readonly host: string
  readonly what: string
  readonly address: string
  readonly pid: number | null
}

export interface Picture {
  readonly folder: string
  /** The process of the command that runs the cluster. */
  readonly pid: number
  readonly url: string
  readonly password: string
  readonly network: NetworkPlan
  readonly parts: readonly PictureOfPart[]
}

/** Only this user may read the file, because it contains a password. */
export function writePicture(picture: Picture): void {
  const file = join(picture.folder, FILE)
  writeFileSync(`${file}.new`, JSON.stringify(picture, null, 1), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/** @throws Failure unless exactly one cluster runs on this machine */
export function readPicture(): Picture {
  const found = readdirSync(tmpdir())
    .map((name) => join(tmpdir(), name, FILE))
    .filter((file) => file.startsWith(FOLDER))
    .flatMap((file) => {
      try {
        return [JSON.parse(readFileSync(file, 'utf8')) as Picture]
      } catch {
        // It is being removed, or belongs to another user.
        return []
      }
    })
  const [first, second] = found
  if (first === undefined) throw new Failure('No cluster runs here: npm run cluster starts one.')
  if (second !== undefined)
    throw new Failure(`Several clusters run here: ${found.map(({ pid }) => pid).join(', ')}.`)
  return first
}

/** Returns a line for each part, grouped by host. */
export function formatPicture({ parts, url, network, folder }: Picture): string {
  const width = (of: (part: PictureOfPart) => string) =>
    Math.max(...parts.map((part) => of(part).length))
  const [host, name, what] = [
    width((part) => part.host),
    width((part) => part.name),
    width((part) => part.what),
  ]
  const lines = parts.map(
    (part) =>
      `  ${part.host.padEnd(host)}  ${part.name.padEnd(name)}  ${part.what.padEnd(what)}  ${part.address}`,
  )
  const where =
    network.kind === 'namespaces'
      ? 'Each host is a network namespace of its own'
      : 'Each host is an address of the loopback device (no namespaces: hosts can not be cut off from each other)'
  return `${where}; files and logs are in ${folder}\n\n  ${'host'.padEnd(host)}  ${'part'.padEnd(name)}\n${lines.join('\n')}\n\nThe site: ${url}`
}
