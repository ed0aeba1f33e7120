/** The programs of a cluster and their Debian packages. */
import { existsSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { Failure } from '#scripts/status.mjs'
import { PATHS } from './part.ts'
import { findPrograms } from './parts/patroni.ts'

/** Program by package. */
const PROGRAMS: Readonly<Record<string, string>> = {
  'etcd-server': 'etcd',
  patroni: 'patroni',
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
  'redis-server': 'redis-server',
  'redis-tools': 'redis-cli',
  'redis-sentinel': 'redis-sentinel',
  nginx: 'nginx',
}
/** Patroni needs python3-etcd, which has no program. */
const ETCD_MODULE = '/usr/lib/python3/dist-packages/etcd'

/** Prometheus is optional. */
export const hasPrometheus = (): boolean => isThere('prometheus')

function isThere(program: string): boolean {
  return PATHS.split(delimiter).some((folder) => existsSync(join(folder, program)))
}

function findMissing(): string[] {
  return [
    ...Object.entries(PROGRAMS).flatMap(([name, program]) => (isThere(program) ? [] : [name])),
    ...(existsSync(ETCD_MODULE) ? [] : ['python3-etcd']),
    ...(findPrograms() === null ? ['postgresql'] : []),
  ]
}

/** Debian starts installed servers unless a `policy-rc.d` forbids it. */
const INSTALL = `
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  trap 'rm -f "$policy"' EXIT
  printf '#!/bin/sh\\nexit 101\\n' > "$policy"
  chmod 755 "$policy"
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -q && apt-get install -q -y --no-install-recommends "$@"
`

/** Installs missing packages as root. @throws Failure with the command for other users */
export function ensurePackages(say: (line: string) => void): void {
  if (process.platform !== 'linux')
    throw new Failure('The cluster is made of the packages of Debian: it needs Linux.')
  const missing = findMissing()
  if (missing.length === 0) return
  const line = `apt-get install --no-install-recommends ${missing.join(' ')}`
  if (process.getuid?.() !== 0)
    throw new Failure(`These packages are missing: ${missing.join(', ')}. As root: ${line}`)
  if (!isThere('apt-get'))
    throw new Failure(`These programs are missing, and here is no apt-get: ${missing.join(', ')}.`)
  say(`Installing ${missing.join(', ')} …`)
  const wanted = isThere('prometheus') ? missing : [...missing, 'prometheus']
  const { status } = spawnSync('sh', ['-c', INSTALL, 'install', ...wanted], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const rest = findMissing()
  if (rest.length > 0)
    throw new Failure(`${line}\nended with ${status}; still missing: ${rest.join(', ')}.`)
}
