/** Prometheus collects the metrics of nodes, HAProxy, Patroni and etcd. */
import { addressOf } from '#lab/cluster/network.ts'
import { answersWell, type PartPlan, type Site } from '#lab/cluster/part.ts'

const PORT = 9090
const HOST = 'prometheus'

/** `targets` are addresses with ports by job. */
export function prometheus(
  { network }: Site,
  targets: Readonly<Record<string, readonly string[]>>,
): PartPlan {
  const address = addressOf(network, HOST)
  const jobs = Object.entries(targets).map(([name, found]) => ({
    job_name: name,
    static_configs: [{ targets: found }],
  }))
  return {
    name: HOST,
    host: HOST,
    what: 'collects the metrics',
    address: `http://${address}:${PORT}/`,
    command: [
      'prometheus',
      '--config.file=prometheus.json',
      '--storage.tsdb.path=data',
      '--log.level=warn',
      `--web.listen-address=${address}:${PORT}`,
    ],
    files: {
      'prometheus.json': JSON.stringify({
        global: { scrape_interval: '5s' },
        scrape_configs: jobs,
      }),
    },
    isReady: () => answersWell(`http://${address}:${PORT}/-/ready`),
    againMs: 1000,
  }
}
