/**
 * The network of a cluster: hosts of their own in network namespaces behind a bridge, where that is permitted, so that
 * they can be cut off from each other; else addresses of the loopback device.
 */
import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { Failure } from '#scripts/status.mjs'

/** Said to whoever asks for a cut on loopback. */
const NO_CUTS =
  'Hosts on loopback addresses can not be cut off from each other: run the cluster as root, where network namespaces are permitted.'
/** An address of the hardware that nobody has: what is sent there is lost without a word, as with a cut cable. */
const NOBODY = '02:00:00:00:00:00'
const TRIES = 20
const FIRST_HOST = 10

/** What another process needs to cut a running cluster's hosts off. */
export interface NetworkPlan {
  readonly kind: 'namespaces' | 'loopback'
  /** Begins the names of namespaces and devices: "kb17". */
  readonly mark: string
  /** Address by host. */
  readonly hosts: Readonly<Record<string, string>>
}

function ip(...words: readonly string[]): string {
  return execFileSync('ip', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

function isPermitted(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  const probe = `kbprobe${process.pid}`
  try {
    ip('netns', 'add', probe)
    ip('link', 'add', `${probe}`.slice(0, 15), 'type', 'bridge')
    return true
  } catch {
    return false
  } finally {
    for (const words of [
      ['netns', 'del', probe],
      ['link', 'del', probe.slice(0, 15)],
    ])
      try {
        ip(...words)
      } catch {
        // It was not made.
      }
  }
}

/** Gives each host an address. `onLoopback`: no namespaces, though they may be permitted. @throws Failure without a free one */
export function planNetwork(hosts: readonly string[], onLoopback = false): NetworkPlan {
  const kind = !onLoopback && isPermitted() ? 'namespaces' : 'loopback'
  const net = findNet(kind)
  const addresses = hosts.map((host, place) => [host, `${net}.${FIRST_HOST + place}`] as const)
  return { kind, mark: `kb${net.split('.')[2]}`, hosts: Object.fromEntries(addresses) }
}

function findNet(kind: NetworkPlan['kind']): string {
  for (let turn = 0; turn < TRIES; turn += 1) {
    const third = randomInt(1, 250)
    if (kind === 'loopback') return `127.86.${third}`
    if (ip('route', 'show', `10.86.${third}.0/24`).trim() === '') return `10.86.${third}`
  }
  throw new Failure('No free network of 10.86.0.0/16 was found: end the clusters that still run.')
}

/** Makes the bridge and each host's namespace; on loopback nothing needs to be made. */
export function openNetwork({ kind, mark, hosts }: NetworkPlan): void {
  if (kind === 'loopback') return
  const [first = ''] = Object.values(hosts)
  ip('link', 'add', mark, 'type', 'bridge')
  ip('addr', 'add', `${first.replace(/\d+$/, '1')}/24`, 'dev', mark)
  ip('link', 'set', mark, 'up')
  for (const [host, address] of Object.entries(hosts)) {
    const space = `${mark}-${host}`
    ip('netns', 'add', space)
    const outside = deviceOf(mark, address)
    ip('link', 'add', outside, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space)
    ip('link', 'set', outside, 'master', mark, 'up')
    ip('-n', space, 'addr', 'add', `${address}/24`, 'dev', 'eth0')
    ip('-n', space, 'link', 'set', 'eth0', 'up')
    ip('-n', space, 'link', 'set', 'lo', 'up')
  }
}

const deviceOf = (mark: string, address: string) => `${mark}v${address.split('.')[3]}`

/** What stands before a command that runs on a host. */
export function enterHost({ kind, mark }: NetworkPlan, host: string): string[] {
  return kind === 'loopback' ? [] : ['nsenter', `--net=/run/netns/${mark}-${host}`]
}

/** @throws Failure for a host that there is not */
export function addressOf({ hosts }: NetworkPlan, host: string): string {
  const address = hosts[host]
  if (address === undefined)
    throw new Failure(`There is no host "${host}": there are ${Object.keys(hosts).join(', ')}.`)
  return address
}

/** Nothing arrives between the two any more, and neither is told. @throws Failure on loopback, or for an unknown host */
export function cutOff(plan: NetworkPlan, one: string, other: string): void {
  if (plan.kind === 'loopback') throw new Failure(NO_CUTS)
  for (const [from, to] of bothWays(plan, one, other)) {
    const entry = [addressOf(plan, to), 'lladdr', NOBODY, 'dev', 'eth0', 'nud', 'permanent']
    ip('-n', `${plan.mark}-${from}`, 'neigh', 'replace', ...entry)
  }
}

/** Undoes `cutOff`. */
export function mend(plan: NetworkPlan, one: string, other: string): void {
  if (plan.kind === 'loopback') throw new Failure(NO_CUTS)
  for (const [from, to] of bothWays(plan, one, other))
    ip('-n', `${plan.mark}-${from}`, 'neigh', 'del', addressOf(plan, to), 'dev', 'eth0')
}

function bothWays(plan: NetworkPlan, one: string, other: string) {
  addressOf(plan, one)
  addressOf(plan, other)
  return [
    [one, other],
    [other, one],
  ] as const
}

/** Takes a host's cable out, or puts it in again. On loopback nothing happens: a dead host's ports refuse. */
export function plug(plan: NetworkPlan, host: string, isIn: boolean): void {
  if (plan.kind === 'loopback') return
  const device = deviceOf(plan.mark, addressOf(plan, host))
  ip('link', 'set', device, ...(isIn ? ['master', plan.mark] : ['nomaster']))
}
