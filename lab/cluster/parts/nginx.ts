/** nginx is the load balancer in front of the nodes, with the settings of deploy/nginx.conf. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { addressOf } from '#lab/cluster/network.ts'
import { listens, type PartPlan, type Site } from '#lab/cluster/part.ts'

const PORT = 8080
const HOST = 'balancer'
const SETTINGS = join('deploy', 'nginx.conf')
const NODE_LINES = /(?:^ *server node\d+:3000.*;\n)+/m
const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']

export const siteAddress = ({ network }: Site): string =>
  `http://${addressOf(network, HOST)}:${PORT}`

/** `nodes` are addresses with ports. */
export function nginx(site: Site, nodes: readonly string[]): PartPlan {
  const address = addressOf(site.network, HOST)
  return {
    name: HOST,
    host: HOST,
    what: 'nginx before the nodes',
    address: siteAddress(site),
    command: ['nginx', '-p', '.', '-c', 'nginx.conf'],
    files: { 'nginx.conf': nginxFile(`${address}:${PORT}`, nodes) },
    isReady: () => listens(address, PORT),
    againMs: 1000,
  }
}

/**
 * Returns a complete nginx.conf with the settings of deploy/nginx.conf, for nginx in the foreground with its own
 * folder (`-p`).
 * @throws Error when deploy/nginx.conf has no nodes or no port
 */
export function nginxFile(listen: string, nodes: readonly string[]): string {
  const settings = readFileSync(SETTINGS, 'utf8')
  const [lines = ''] = NODE_LINES.exec(settings) ?? []
  const [first = ''] = lines.split('\n')
  if (first === '' || !settings.includes('listen 80;'))
    throw new Error(`${SETTINGS} has no "server node1:3000", or no "listen 80;"`)
  const servers = nodes.map((each) => `${first.replace(/node\d+:3000/, each)}\n`).join('')
  const temporary = TEMPORARY.map((kind) => `  ${kind}_temp_path ${kind};`)
  return `${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 1;
pid nginx.pid;
error_log stderr error;
events { worker_connections 1024; }
http {
  access_log off;
${temporary.join('\n')}
${settings.replace(lines, () => servers).replace('listen 80;', `listen ${listen};`)}
}
`
}
