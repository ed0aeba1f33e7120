// The proxy in front of the server: which one, its certificate and its configuration.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { root } from '#scripts/commands.mjs'
import { ACME, caddySite, nginxSite } from './sites.mjs'

/** @typedef {import('./machine.mjs').Machine} Machine @typedef {import('./machine.mjs').Step} Step */
/** @typedef {Pick<import('./steps.mjs').Answers, 'domain' | 'certificate' | 'owner'>} Site */

const NGINX_SITE = '/etc/nginx/conf.d/knowledge-bazaar.conf'
const CADDY_SITE = '/etc/caddy/knowledge-bazaar.caddy'
const CADDYFILE = '/etc/caddy/Caddyfile'

/**
 * Looks for the library or the program of a package, which may come from elsewhere.
 * @param {Machine} machine
 * @param {string} name
 */
export function isInstalled(machine, name) {
  const arch = { x64: 'x86_64', arm64: 'aarch64' }[process.arch] ?? process.arch
  return [
    `/usr/lib/${arch}-linux-gnu/${name.replace(/(?=\d+$)/, '.so.')}`,
    ...['/usr/sbin', '/usr/bin', '/usr/local/bin'].map((folder) => `${folder}/${name}`),
  ].some((path) => machine.isThere(path))
}

/** @param {Machine} machine @returns {'nginx' | 'caddy'} */
export function chooseProxy(machine) {
  if (isInstalled(machine, 'nginx')) return 'nginx'
  return 'caddy'
}

/**
 * Returns the proxy and the certificate of an earlier run, whose certificate is null if Let's Encrypt gave it.
 * @param {Machine} machine
 */
export function findSite(machine) {
  const nginx = machine.read(NGINX_SITE)
  const caddy = machine.read(CADDY_SITE)
  if (nginx === '' && caddy === '') return null
  const [, certificate, key] =
    /ssl_certificate (\S+);\s+ssl_certificate_key (\S+);/.exec(nginx) ??
    /\ttls (\S+) (\S+)/.exec(caddy) ??
    []
  const isOwn = certificate !== undefined && !certificate.startsWith('/etc/letsencrypt/live/')
  return {
    proxy: nginx === '' ? 'caddy' : 'nginx',
    certificate: isOwn && key !== undefined ? { certificate, key } : null,
  }
}

/** @param {Machine} machine @param {Site} site @returns {Step[]} */
export function withNginx(machine, { domain, certificate: given, owner }) {
  const live = `/etc/letsencrypt/live/${domain}`
  const made = { certificate: `${live}/fullchain.pem`, key: `${live}/privkey.pem` }
  const site = (/** @type {import('./sites.mjs').Certificate | null} */ certificate) =>
    nginxSite({
      domain,
      certificate,
      // Only said what would be done, it may not be there yet.
      version: isInstalled(machine, 'nginx') ? machine.run('nginx', ['-v']) : '',
      isIpv6: machine.read('/proc/net/if_inet6') !== '',
      example: readFileSync(join(root, 'deploy', 'nginx.conf'), 'utf8'),
    })
  const load = () => {
    machine.run('nginx', ['-t'])
    machine.run('systemctl', ['reload-or-restart', 'nginx'])
  }
  return [
    ...(given !== null
      ? []
      : [
          {
            name: `certificate for ${domain}`,
            isRight: () => machine.isThere(made.certificate),
            make: () => {
              machine.run('install', ['-d', ACME])
              // Of a run that was killed.
              if (machine.read(NGINX_SITE) === site(null)) machine.remove(NGINX_SITE)
              const words = ['certonly', '--webroot', '-w', ACME, '-d', domain, '-m', owner]
              const more = ['--cert-name', domain, '--deploy-hook', 'systemctl reload nginx']
              machine.replace({ [NGINX_SITE]: site(null) }, load, () =>
                machine.run('certbot', [...words, ...more, '--agree-tos', '--non-interactive']),
              )
            },
          },
        ]),
    {
      name: `nginx for https://${domain}`,
      isRight: () => machine.read(NGINX_SITE) === site(given ?? made),
      make: () => machine.replace({ [NGINX_SITE]: site(given ?? made) }, load),
    },
  ]
}

/** @param {Machine} machine @param {Site} site @returns {Step[]} */
export function withCaddy(machine, { domain, certificate }) {
  const text = caddySite({ domain, certificate })
  const line = `import ${CADDY_SITE}`
  const isImported = () => machine.read(CADDYFILE).split('\n').includes(line)
  return [
    {
      name: `Caddy for https://${domain}`,
      isRight: () => machine.read(CADDY_SITE) === text && isImported(),
      make: () =>
        machine.replace(
          {
            [CADDY_SITE]: text,
            ...(!isImported() && { [CADDYFILE]: `${machine.read(CADDYFILE)}\n${line}\n` }),
          },
          () => {
            machine.run('caddy', ['validate', '--config', CADDYFILE, '--adapter', 'caddyfile'])
            machine.run('systemctl', ['reload-or-restart', 'caddy'])
          },
        ),
    },
  ]
}
