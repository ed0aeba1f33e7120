/** Tests the S3 server of `npm run cluster`: durability of acknowledged writes, and multipart uploads. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CreateMultipartUploadCommand } from '@aws-sdk/client-s3'
import { afterAll, expect, test } from 'vitest'
import { abort, listUnfinished } from '#server/platform/files/s3/multipart.ts'
import { findTestPort } from '#server/testing/port.ts'
import { openTestBucket } from '#server/testing/s3/bucket.ts'
import { collect } from '#server/testing/s3/server.ts'
import { makeTestFolder } from '#server/testing/folder.ts'

let server: ChildProcess

async function start(): Promise<void> {
  const words = ['server/testing/s3/serve.ts', '127.0.0.1', `${port}`, join(folder, 'data')]
  server = spawn(process.execPath, words, { stdio: 'inherit' })
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    )
  for (let tries = 0; tries < 200 && !(await isUp()); tries += 1) await sleep(50)
}

async function kill(): Promise<void> {
  const exited = once(server, 'exit')
  server.kill('SIGKILL')
  await exited
}

const folder = await makeTestFolder()
const port = await findTestPort()
await start()
const opened = openTestBucket(`http://S3RVER:S3RVER@127.0.0.1:${port}/bazaar?style=path`)
afterAll(async () => {
  opened.close()
  await kill()
})

test('multipart uploads can be listed and aborted, even after a kill', async () => {
  const { bucket } = opened
  await bucket.run((client) =>
    client.send(new CreateMultipartUploadCommand({ Bucket: bucket.name, Key: 'resources/a' })),
  )
  await kill()
  await start()
  const [found] = await collect(listUnfinished(bucket, 'resources/'))
  expect(found?.key).toBe('resources/a')
  if (found !== undefined) await abort(bucket, found)
  expect(await collect(listUnfinished(bucket, 'resources/'))).toEqual([])
})

test('acknowledged writes survive a kill', async () => {
  const { storage } = opened
  await storage.put('pictures/aa/320.webp', Buffer.from('picture'))
  await kill()
  await start()
  expect(await storage.sizeOf('pictures/aa/320.webp')).toBe(7)
  expect(await collect(storage.list('pictures/'))).toEqual(['pictures/aa/320.webp'])
})
