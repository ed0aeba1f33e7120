/** etcd stores for Patroni which server is the primary. */
import { addressOf } from '#lab/cluster/network.ts'
import { answersWell, type PartPlan, type Site } from '#lab/cluster/part.ts'

const HOST = 'etcd'

/** One server is enough: without it, Patroni's `failsafe_mode` leaves the primary in place. */
export function etcd({ network }: Site): PartPlan {
  const address = addressOf(network, HOST)
  const client = `http://${address}:2379`
  const peer = `http://${address}:2380`
  return {
    name: HOST,
    host: HOST,
    what: 'where Patroni agrees on the primary',
    address: client,
    command: [
      'etcd',
      `--name=${HOST}`,
      '--data-dir=data',
      '--log-level=warn',
      `--listen-client-urls=${client}`,
      `--advertise-client-urls=${client}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=${HOST}=${peer}`,
    ],
    isReady: () => answersWell(`${client}/health`),
    againMs: 1000,
  }
}

export const etcdAddress = ({ network }: Site): string => `${addressOf(network, HOST)}:2379`
