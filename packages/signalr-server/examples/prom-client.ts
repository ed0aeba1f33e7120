/** Exports a hub's signals as Prometheus metrics. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { HubLoad, HubObserver } from 'signalr-hub-server'

const CALL_SECONDS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10]

/** Returns the `observer` of a hub. `load` is that of the same hub, called at each scrape. */
export function measureHub(register: Registry, load: () => HubLoad): HubObserver {
  const registers = [register]
  const connections = new Gauge({
    name: 'hub_connections',
    help: 'Clients that are connected.',
    labelNames: ['transport', 'protocol'],
    registers,
  })
  const messages = new Counter({
    name: 'hub_messages_total',
    help: 'Messages of clients and to clients, pings left out.',
    labelNames: ['direction'],
    registers,
  })
  const bytes = new Counter({
    name: 'hub_message_bytes_total',
    help: 'Their bytes.',
    labelNames: ['direction'],
    registers,
  })
  // Method names come from the definition, so that clients can't create labels by calling unknown methods.
  const calls = new Histogram({
    name: 'hub_call_seconds',
    help: 'Calls from their turn to their answer.',
    labelNames: ['method', 'outcome'],
    buckets: CALL_SECONDS,
    registers,
  })
  const drops = new Counter({
    name: 'hub_drops_total',
    help: 'Clients that were dropped, and why.',
    labelNames: ['reason'],
    registers,
  })
  // Computed at each scrape.
  new Gauge({
    name: 'hub_waiting_bytes',
    help: 'Bytes that clients have not taken yet.',
    registers,
    collect() {
      this.set(load().waitingBytes)
    },
  })
  new Gauge({
    name: 'hub_waiting_calls',
    help: 'Calls that wait for their turn.',
    registers,
    collect() {
      this.set(load().waitingCalls)
    },
  })
  return {
    connected: ({ transport, protocol }) => connections.inc({ transport, protocol }),
    disconnected: ({ transport, protocol, dropped }) => {
      connections.dec({ transport, protocol })
      if (dropped !== null) drops.inc({ reason: dropped })
    },
    message: (direction, size) => {
      messages.inc({ direction })
      bytes.inc({ direction }, size)
    },
    called: ({ method, outcome, seconds }) => calls.observe({ method, outcome }, seconds),
  }
}
