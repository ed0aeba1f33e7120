// The configuration of the proxy in front: nginx from deploy/nginx.conf, or Caddy.

/** Where certbot puts the files that prove that the domain is ours. */
export const ACME = '/var/lib/knowledge-bazaar-acme'

/**
 * @typedef {{ certificate: string, key: string }} Certificate
 * @param {{ domain: string, certificate: Certificate | null, version: string, isIpv6: boolean, example: string }} site
 *   `version` is what `nginx -v` prints. Without a certificate only what certbot needs to get one is served.
 */
export function nginxSite({ domain, certificate, version, isIpv6, example }) {
  const [, minor = '0'] = /nginx\/1\.(\d+)/.exec(version) ?? []
  const isNew = Number(minor) >= 25
  const listen = (/** @type {string} */ what) =>
    `listen ${what};${isIpv6 ? `\n  listen [::]:${what};` : ''}`
  const plain = `server {
  ${listen('80')}
  server_name ${domain};
  location /.well-known/acme-challenge/ { root ${ACME}; }
  location / { return 301 https://$host$request_uri; }
}
`
  const heading = '# Written by npm run setup.\n'
  if (certificate === null) return `${heading}${plain}`
  const tls = `${listen(isNew ? '443 ssl' : '443 ssl http2')}${isNew ? '\n  http2 on;' : ''}
  server_name ${domain};
  ssl_certificate ${certificate.certificate};
  ssl_certificate_key ${certificate.key};
  ssl_protocols TLSv1.2 TLSv1.3;
  ssl_session_cache shared:bazaar:2m;`
  const main = example
    .replace(/^#.*\n/gm, '')
    .replace('server node1:3000', 'server 127.0.0.1:3000')
    .replace(/^ *server node[23].*\n/gm, '')
    .replace(/listen 80;\n *server_name _;/, () => tls)
  return `${heading}${plain}${main}`
}

/** @param {{ domain: string, certificate: Certificate | null }} site */
export function caddySite({ domain, certificate }) {
  const tls = certificate === null ? '' : `\ttls ${certificate.certificate} ${certificate.key}\n`
  return `# Written by npm run setup.
${domain} {
${tls}\treverse_proxy 127.0.0.1:3000 {
\t\tflush_interval -1
\t}
}
`
}
