/** An S3-compatible server for the files: `s3rver`, a development dependency for this and for tests. */
import { join } from 'node:path'
import { addressOf } from '#scripts/cluster/network.ts'
import { listens, type PartPlan, type Site } from '#scripts/cluster/part.ts'

const PORT = 4568
const HOST = 's3'
/** It knows these alone, as key and as secret. */
const KEY = 'S3RVER'
const BUCKET = 'bazaar'
const PROGRAM = join(process.cwd(), 'node_modules', '.bin', 's3rver')

/** Its data are files in the part's folder. */
export function s3({ network }: Site): PartPlan {
  const address = addressOf(network, HOST)
  return {
    name: HOST,
    host: HOST,
    what: 'S3-compatible server of the files',
    address: `http://${address}:${PORT}/${BUCKET}`,
    // A value behind `=` it does not understand, and then it listens nowhere.
    command: [
      PROGRAM,
      '--directory',
      'data',
      '--address',
      address,
      '--port',
      `${PORT}`,
      '--no-vhost-buckets',
      '--silent',
      '--configure-bucket',
      BUCKET,
    ],
    isReady: () => listens(address, PORT),
    againMs: 2000,
  }
}

/** For S3_URL. */
export const bucketAddress = ({ network }: Site): string =>
  `http://${KEY}:${KEY}@${addressOf(network, HOST)}:${PORT}/${BUCKET}?style=path`
