/** Runs the S3 test server as a program for the cluster: ADDRESS PORT FOLDER. It runs until it is killed. */
import { mkdir } from 'node:fs/promises'
import { startS3 } from '#server/testing/s3/server.ts'

const [address = '127.0.0.1', port = '4568', directory = 'data'] = process.argv.slice(2)
await mkdir(directory, { recursive: true })
await startS3({ address, port: Number(port), directory })
