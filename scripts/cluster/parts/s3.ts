/** An S3-compatible server for the files: `s3rver`, a development dependency for this and for tests. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { addressOf } from '#scripts/cluster/network.ts'
import { listens, type PartPlan, type Site } from '#scripts/cluster/part.ts'

const PORT = 4568
const HOST = 's3'
const BUCKET = 'bazaar'
const PROGRAM = join(process.cwd(), 'node_modules', '.bin', 's3rver')

/** Null where it is not installed. */
export function s3({ network }: Site): PartPlan | null {
  if (!existsSync(PROGRAM)) return null
  const address = addressOf(network, HOST)
  return {
    name: HOST,
    host: HOST,
    what: 'S3-compatible server of the files',
    address: `http://${address}:${PORT}/${BUCKET}`,
    command: [
      PROGRAM,
      '--directory=data',
      `--address=${address}`,
      `--port=${PORT}`,
      `--configure-bucket=${BUCKET}`,
      '--silent',
    ],
    isReady: () => listens(address, PORT),
    againMs: 2000,
  }
}
