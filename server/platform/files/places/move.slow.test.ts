/** Files move from the disk to a bucket and back while the site uses both. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { randomBytes } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Storage } from '#server/platform/core/storage.ts'
import { addressOf } from '#server/testing/backup/commands.ts'
import { runAdmin } from '#server/testing/commands/admin.ts'
import { collect } from '#server/testing/s3/server.ts'
import { sha } from '#server/testing/http/uploads.ts'
import { keyOf, openPlaces } from '#server/testing/s3/places.ts'
import { uploadFile } from '#server/testing/http/forms.ts'

const LARGE_MB = 320
const { s3, before, ann, disk, bucket, download } = await openPlaces()
const list = async (storage: Storage) => [
  ...(await collect(storage.list('pictures/'))),
  ...(await collect(storage.list('resources/'))),
]

const commandEnvironment = () => ({
  DATABASE_URL: addressOf(before.connection),
  AUTH_SECRETS: 'x'.repeat(32),
  DATA_DIR: before.dataDir,
})

const admin = (words: readonly string[], more: Record<string, string> = {}) =>
  runAdmin(before, ['files', ...words], { DATA_DIR: before.dataDir, ...more })

/** Returns the peak memory of the command in bytes. */
async function peakOf(env: Record<string, string>): Promise<number> {
  const child = spawn(process.execPath, ['scripts/admin.ts', 'files', 'move', '--remove'], {
    env: { ...process.env, ...commandEnvironment(), ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const gone = once(child, 'exit')
  let peak = 0
  while (child.exitCode === null) {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
    peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024)
    await Promise.race([gone, sleep(10)])
  }
  expect(child.exitCode).toBe(0)
  return peak
}

test('the command moves everything, continues after an interruption, and moves it back', async () => {
  const bytes = randomBytes(6_000_000)
  const url = await uploadFile(before, ann, 'plan.pdf', bytes)
  const files = (await list(disk)).length
  const S3_URL = s3.url

  const first = await admin(['move'], { S3_URL })
  expect(first.stderr).toBe('')
  expect(first.stdout).toContain(`Copied and compared ${files} files (`)
  expect((await list(bucket)).toSorted()).toEqual((await list(disk)).toSorted())
  const again = await admin(['move', '--remove'], { S3_URL })
  expect(again.stdout).toContain(`Copied and compared 0 files (0 MB); ${files} were there already.`)
  expect(again.stdout).toContain(`Removed ${files} originals.`)
  expect(await list(disk)).toEqual([])
  expect(await download(url)).toBe(sha(bytes))

  const back = await admin(['move', '--remove'], { S3_URL, FILES_IN: 'disk' })
  expect(back.stdout).toContain(`Copied and compared ${files} files (`)
  expect(await list(bucket)).toEqual([])
  expect(await disk.hashOf(keyOf(url))).toBe(sha(bytes))
})

test('a file needs at most 96 MB of memory whatever its size, there and back', async () => {
  const [there, back] = [{ S3_URL: s3.url }, { S3_URL: s3.url, FILES_IN: 'disk' }]
  const small = await uploadFile(before, ann, 'plan.pdf', randomBytes(1000))
  const usual = [await peakOf(there), await peakOf(back)]
  const path = join(before.dataDir, 'files', keyOf(small))
  const piece = randomBytes(1024 * 1024)
  const file = await open(path, 'w')
  for (let count = 0; count < LARGE_MB; count += 1) await file.write(piece)
  await file.close()
  const hash = await disk.hashOf(keyOf(small))
  const peaks = [await peakOf(there), await peakOf(back)]
  expect([await disk.hashOf(keyOf(small)), await bucket.sizeOf(keyOf(small))]).toEqual([hash, null])
  const more = peaks.map((peak, index) => (peak - (usual[index] ?? 0)) / 1024 / 1024)
  expect(Math.max(...more)).toBeLessThan(96)
}, 120_000)

test('the command explains a missing setting', async () => {
  expect((await admin(['move'])).stderr).toMatch(/^Set S3_URL/)
})
