/** nginx: the balancer before the nodes, with the settings that docs/operations.md names. */
import { addressOf } from '#scripts/cluster/network.ts'
import { listens, type PartPlan, type Site } from '#scripts/cluster/part.ts'

const PORT = 8080
const HOST = 'balancer'

/** Where people find the site. */
export const siteAddress = ({ network }: Site): string =>
  `http://${addressOf(network, HOST)}:${PORT}`

/** `nodes`: addresses with ports. */
export function nginx(site: Site, nodes: readonly string[]): PartPlan {
  const address = addressOf(site.network, HOST)
  return {
    name: HOST,
    host: HOST,
    what: 'nginx before the nodes',
    address: siteAddress(site),
    command: ['nginx', '-p', '.', '-c', 'nginx.conf'],
    files: { 'nginx.conf': configuration(`${address}:${PORT}`, nodes) },
    isReady: () => listens(address, PORT),
    againMs: 1000,
  }
}

function configuration(listen: string, nodes: readonly string[]): string {
  const servers = nodes.map((each) => `    server ${each} max_fails=1 fail_timeout=2s;`)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `  ${kind}_temp_path ${kind};`,
  )
  return `${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 1;
pid nginx.pid;
error_log stderr error;
events { worker_connections 1024; }
http {
  access_log off;
${temporary.join('\n')}
  map $http_upgrade $connection_upgrade { default upgrade; '' ''; }
  upstream bazaar {
${servers.join('\n')}
    keepalive 32;
    keepalive_timeout 8s;
  }
  server {
    listen ${listen};
    client_max_body_size 0;
    location / {
      proxy_pass http://bazaar;
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_upgrade;
      proxy_buffering off;
      proxy_connect_timeout 2s;
      proxy_read_timeout 100s;
      proxy_next_upstream error timeout;
    }
  }
}
`
}
