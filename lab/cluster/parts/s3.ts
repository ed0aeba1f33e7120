/** Uses the S3-compatible server of the tests. */
import { join } from 'node:path'
import { addressOf } from '#lab/cluster/network.ts'
import { listens, type PartPlan, type Site } from '#lab/cluster/part.ts'

const PORT = 4568
const HOST = 's3'
/** The key and secret that the server accepts. */
const KEY = 'S3RVER'
const BUCKET = 'bazaar'
const NODE = join(process.cwd(), 'node_modules', '.bin', 'node')
const PROGRAM = join(process.cwd(), 'server', 'testing', 's3', 'serve.ts')

export function s3({ folder, network }: Site): PartPlan {
  const address = addressOf(network, HOST)
  return {
    name: HOST,
    host: HOST,
    what: 'S3-compatible server of the files',
    address: `http://${address}:${PORT}/${BUCKET}`,
    command: [NODE, PROGRAM, address, `${PORT}`, join(folder, HOST, 'data')],
    isReady: () => listens(address, PORT),
    againMs: 2000,
  }
}

/** For S3_URL. */
export const bucketAddress = ({ network }: Site): string =>
  `http://${KEY}:${KEY}@${addressOf(network, HOST)}:${PORT}/${BUCKET}?style=path`
