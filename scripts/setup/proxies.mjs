// The proxy in front of the server: which one, its certificate and its configuration.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { root } from '#scripts/commands.mjs'
import { ACME, caddySite, nginxSite } from './sites.mjs'

/** @typedef {import('./machine.mjs').Machine} Machine @typedef {import('./machine.mjs').Step} Step */
/** @typedef {Pick<import('./steps.mjs').Answers, 'domain' | 'certificate' | 'email'>} Site */

const NGINX_SITE = '/etc/nginx/conf.d/knowledge-bazaar.conf'
const CADDY_SITE = '/etc/caddy/knowledge-bazaar.caddy'
const CADDYFILE = '/etc/caddy/Caddyfile'

/**
 * Looks for a package of Debian, or for a program of its name from elsewhere.
 * @param {Machine} machine
 * @param {string} name
 */
export function isInstalled(machine, name) {
  const arch = { x64: 'amd64', arm64: 'arm64' }[process.arch] ?? process.arch
  const files = [`${name}.list`, `${name}:${arch}.list`].map((file) => `/var/lib/dpkg/info/${file}`)
  const programs = ['/usr/sbin', '/usr/bin', '/usr/local/bin'].map((folder) => `${folder}/${name}`)
  return [...files, ...programs].some((path) => machine.isThere(path))
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
export function withNginx(machine, { domain, certificate: given, email }) {
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
  const put = (/** @type {import('./sites.mjs').Certificate | null} */ certificate) => {
    const former = machine.read(NGINX_SITE)
    machine.write(NGINX_SITE, site(certificate))
    try {
      machine.run('nginx', ['-t'])
    } catch (error) {
      // A reload for another site must not fail because of this one.
      machine.write(NGINX_SITE, former)
      throw error
    }
    machine.run('systemctl', ['reload-or-restart', 'nginx'])
  }
  const ending = given === null ? [] : [given]
  return [
    ...(ending.length > 0
      ? []
      : [
          {
            name: `certificate for ${domain}`,
            isRight: () => machine.isThere(made.certificate),
            make: () => {
              machine.run('install', ['-d', ACME])
              put(null)
              const words = ['certonly', '--webroot', '-w', ACME, '-d', domain, '-m', email]
              const reload = ['--deploy-hook', 'systemctl reload nginx']
              machine.run('certbot', [...words, ...reload, '--agree-tos', '--non-interactive'])
            },
          },
        ]),
    {
      name: `nginx for https://${domain}`,
      isRight: () => machine.read(NGINX_SITE) === site(given ?? made),
      make: () => put(given ?? made),
    },
  ]
}

/** @param {Machine} machine @param {Site} site @returns {Step[]} */
export function withCaddy(machine, { domain, certificate }) {
  const text = caddySite({ domain, certificate })
  const line = `import ${CADDY_SITE}`
  return [
    {
      name: `Caddy for https://${domain}`,
      isRight: () => machine.read(CADDY_SITE) === text && machine.read(CADDYFILE).includes(line),
      make: () => {
        machine.write(CADDY_SITE, text)
        const former = machine.read(CADDYFILE)
        if (!former.includes(line)) machine.write(CADDYFILE, `${former}\n${line}\n`)
        machine.run('caddy', ['validate', '--config', CADDYFILE, '--adapter', 'caddyfile'])
        machine.run('systemctl', ['reload-or-restart', 'caddy'])
      },
    },
  ]
}
