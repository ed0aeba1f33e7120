/**
 * Hosts are network namespaces behind a bridge if permitted, so that they can be disconnected, or loopback
 * addresses.
 */
import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { Failure } from '#scripts/status.mjs'

const NO_CUTS =
  'Hosts on loopback addresses can not be cut off from each other: run the cluster as root, where network namespaces are permitted.'
/** An unused MAC address: packets to it are lost silently, as with an unplugged cable. */
const NOBODY = '02:00:00:00:00:00'
const TRIES = 20
const FIRST_HOST = 10

export interface NetworkPlan {
  readonly kind: 'namespaces' | 'loopback'
  /** Prefix of namespaces and devices: "kb17". */
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
        // It was never created.
      }
  }
}

/** Gives each host an address. `onLoopback` avoids namespaces. @throws Failure without a free network */
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

/** Creates the bridge and the namespaces. Loopback needs nothing. */
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

/** Returns the prefix of a command that runs on a host. */
export function enterHost({ kind, mark }: NetworkPlan, host: string): string[] {
  return kind === 'loopback' ? [] : ['nsenter', `--net=/run/netns/${mark}-${host}`]
}

/** @throws Failure for an unknown host */
export function addressOf({ hosts }: NetworkPlan, host: string): string {
  const address = hosts[host]
  if (address === undefined)
    throw new Failure(`There is no host "${host}": there are ${Object.keys(hosts).join(', ')}.`)
  return address
}

/** Drops all packets between two hosts silently. @throws Failure on loopback, or for an unknown host */
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

/** Connects or disconnects a host. Does nothing on loopback, where the ports of a dead host refuse connections. */
export function plug(plan: NetworkPlan, host: string, isIn: boolean): void {
  if (plan.kind === 'loopback') return
  const device = deviceOf(plan.mark, addressOf(plan, host))
  ip('link', 'set', device, ...(isIn ? ['master', plan.mark] : ['nomaster']))
}
