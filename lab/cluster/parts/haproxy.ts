/** HAProxy provides one address for the primary and one for the replicas, using Patroni's health checks. */
import { addressOf } from '#lab/cluster/network.ts'
import { answersWell, type PartPlan, type Site } from '#lab/cluster/part.ts'

export const PRIMARY_PORT = 5000
export const REPLICA_PORT = 5001
export const STATS_PORT = 7000
/** The host of HAProxy and PgBouncer. */
export const PROXY = 'proxy'

/** `servers` are the host names of PostgreSQL. */
export function haproxy({ network }: Site, servers: readonly string[]): PartPlan {
  const address = addressOf(network, PROXY)
  const lines = servers.map(
    (name) => `  server ${name} ${addressOf(network, name)}:5432 check port 8008`,
  )
  return {
    name: 'haproxy',
    host: PROXY,
    what: 'leads to the primary and to the replicas',
    address: `${address}:${PRIMARY_PORT} primary, :${REPLICA_PORT} replicas, http://${address}:${STATS_PORT}/`,
    command: ['haproxy', '-db', '-f', 'haproxy.cfg'],
    files: { 'haproxy.cfg': configuration(address, lines.join('\n')) },
    isReady: () => answersWell(`http://${address}:${STATS_PORT}/metrics`),
    againMs: 1000,
  }
}

/**
 * Closes connections to a former primary, whose statements would hang or fail one by one. `timeout client` and
 * `timeout server` are long, because jobs and listeners hold connections for hours.
 */
const configuration = (address: string, servers: string) => `global
  maxconn 2000
defaults
  mode tcp
  retries 2
  timeout connect 3s
  timeout client 1h
  timeout server 1h
  timeout check 2s
  option clitcpka
  option srvtcpka
listen primary
  bind ${address}:${PRIMARY_PORT}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fastinter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers}
listen replicas
  bind ${address}:${REPLICA_PORT}
  balance leastconn
  option httpchk OPTIONS /replica
  http-check expect status 200
  default-server inter 1s fastinter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers}
listen stats
  mode http
  timeout client 10s
  timeout server 10s
  bind ${address}:${STATS_PORT}
  http-request use-service prometheus-exporter if { path /metrics }
  stats enable
  stats uri /
`
