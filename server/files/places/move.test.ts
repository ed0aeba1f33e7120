/** Files move from the disk to a bucket and back while the site runs on both. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { UploadedResource } from '#contract/files.schemas.ts'
import { createDiskStorage } from '#server/files/places/disk.ts'
import { joinStorages } from '#server/files/places/layers.ts'
import { moveFiles } from '#server/files/places/move.ts'
import type { Storage } from '#server/files/storage.ts'
import { createTestApp, type Person, type TestApp } from '#server/testing/app.ts'
import { openTestBucket } from '#server/testing/s3/bucket.ts'
import { collect, startS3, type TestS3 } from '#server/testing/s3/server.ts'
import { bearer, sha } from '#server/testing/uploads.ts'

const run = promisify(execFile)
const LARGE_MB = 320
let s3: TestS3
/** Serves from the disk: what was before. */
let before: TestApp
/** Serves from the bucket, with the disk beside it. */
let site: TestApp
let ann: Person
let disk: Storage
let bucket: Storage
beforeAll(async () => {
  s3 = await startS3()
  before = await createTestApp()
  site = await createTestApp({ S3_URL: s3.url, DATA_DIR: before.dataDir }, null, before)
  ann = await before.signUp('ann')
  disk = await createDiskStorage(join(before.dataDir, 'files'))
  bucket = openTestBucket(s3.url).storage
})
beforeEach(() => {
  s3.mood = 'well'
})
afterAll(async () => {
  bucket.close()
  await site.close()
  await before.close()
  await s3.close()
})

const keyOf = (url: string) => `resources/${url.split('/')[3] ?? ''}`
const list = async (storage: Storage) => [
  ...(await collect(storage.list('pictures/'))),
  ...(await collect(storage.list('resources/'))),
]

async function upload(app: TestApp, bytes: Uint8Array): Promise<string> {
  const form = new FormData()
  form.set('file', new File([new Uint8Array(bytes)], 'plan.pdf'))
  const { status, body } = await app.call<UploadedResource>('POST', '/upload/resource', {
    as: ann,
    form,
  })
  expect(status).toBe(200)
  return body.url
}

async function download(url: string): Promise<string> {
  const response = await fetch(site.url + url, { headers: bearer(ann) })
  expect(response.status).toBe(200)
  return sha(Buffer.from(await response.arrayBuffer()))
}

function commandEnvironment(): Record<string, string> {
  const { host = '', port, user, database } = before.app.database.pool.options
  const url = `postgres://${user}@${encodeURIComponent(host)}:${port}/${database}`
  return { DATABASE_URL: url, AUTH_SECRETS: 'x'.repeat(32), DATA_DIR: before.dataDir }
}

async function admin(words: readonly string[], more: Record<string, string> = {}) {
  const env = { ...process.env, ...commandEnvironment(), ...more }
  return run(process.execPath, ['scripts/admin.ts', 'files', ...words], { env }).catch(
    (error: { stdout: string; stderr: string }) => error,
  )
}

test('the command moves everything, goes on where it was, and moves it back', async () => {
  const bytes = randomBytes(6_000_000)
  const url = await upload(before, bytes)
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

/** Bytes of memory that the command took at most. */
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

test('a file costs at most 64 MB of memory whatever its size, there and back', async () => {
  const [there, back] = [{ S3_URL: s3.url }, { S3_URL: s3.url, FILES_IN: 'disk' }]
  const small = await upload(before, randomBytes(1000))
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
  expect(Math.max(...more)).toBeLessThan(64)
}, 120_000)

test('the command says in a sentence what it lacks', async () => {
  expect((await admin(['move'])).stderr).toMatch(/^Set S3_URL/)
  const noScheme = await admin(['move'], { S3_URL: 's3.example/bucket' })
  expect(noScheme.stderr).toMatch(/^S3_URL is "…": must begin with https:\/\/ or http:\/\//)
  const noKeys = await admin(['move'], { S3_URL: s3.url.replace('S3RVER:', 'nobody:') })
  expect(noKeys.stderr).toMatch(/^S3_URL: it refuses the keys\. .+\n$/)
  expect(noKeys.stderr).not.toContain('S3RVER')
  s3.mood = 'full'
  expect((await admin(['move'], { S3_URL: s3.url })).stderr).toMatch(/^S3_URL: the bucket is full/)
})

describe('while the site runs', () => {
  const move = (remove = false) =>
    moveFiles({ db: before.app.database.db, from: disk, to: bucket, remove })

  test('what is on the disk is served, what is new goes to the bucket', async () => {
    const [old, fresh] = [randomBytes(1000), randomBytes(2000)]
    const oldUrl = await upload(before, old)
    const freshUrl = await upload(site, fresh)
    expect(await disk.sizeOf(keyOf(freshUrl))).toBeNull()
    expect([await download(oldUrl), await download(freshUrl)]).toEqual([sha(old), sha(fresh)])
    await move(true)
    expect([await download(oldUrl), await download(freshUrl)]).toEqual([sha(old), sha(fresh)])
  })

  test('a file that goes while it is copied leaves no copy', async () => {
    const key = keyOf(await upload(before, randomBytes(1000)))
    const both = joinStorages(bucket, disk)
    const slow: Storage = {
      ...bucket,
      put: async (name, content, sha256) => {
        await bucket.put(name, content, sha256)
        // Deleted by the site in the moment after the copy was made.
        if (name === key) await both.remove(key)
      },
    }
    const { db } = before.app.database
    const moved = await moveFiles({ db, from: disk, to: slow, remove: false }).catch(String)
    expect(moved).toMatchObject({ gone: 1 })
    expect([await bucket.sizeOf(key), await disk.sizeOf(key)]).toEqual([null, null])
  })

  test('a copy that came out wrong is made again, and never stays', async () => {
    const key = keyOf(await upload(before, randomBytes(1000)))
    let spoilt = 0
    const bad = (times: number): Storage => ({
      ...bucket,
      put: (name, content, sha256) => {
        if (name !== key || (spoilt += 1) > times) return bucket.put(name, content, sha256)
        return bucket.put(name, Buffer.from('something else'))
      },
    })
    const { db } = before.app.database
    const moveTo = (to: Storage) => moveFiles({ db, from: disk, to, remove: true })
    await expect(moveTo(bad(2))).rejects.toThrow(`The copy of ${key} is another file`)
    expect([await bucket.sizeOf(key), await disk.sizeOf(key)]).toEqual([null, 1000])
    spoilt = 0
    await moveTo(bad(1))
    expect([await bucket.sizeOf(key), await disk.sizeOf(key)]).toEqual([1000, null])
  })

  test('an upload that was begun on the disk goes on there, and is moved when it is complete', async () => {
    const bytes = randomBytes(2000)
    const headers = {
      ...bearer(ann),
      'tus-resumable': '1.0.0',
      'content-type': 'application/offset+octet-stream',
    }
    const begun = await fetch(`${before.url}/api/upload/resource`, {
      method: 'POST',
      headers: { ...headers, 'upload-length': '2000' },
      body: new Uint8Array(bytes.subarray(0, 500)),
    })
    const path = begun.headers.get('location') ?? ''
    expect(await move()).toMatchObject({ unfinished: 1 })
    const rest = await fetch(site.url + path, {
      method: 'PATCH',
      headers: { ...headers, 'upload-offset': '500' },
      body: new Uint8Array(bytes.subarray(500)),
    })
    expect(rest.status).toBe(200)
    await move(true)
    expect(await bucket.hashOf(`resources/${path.split('/').at(-1)}`)).toBe(sha(bytes))
  })

  test('a bucket that is busy for a while is waited for', async () => {
    const key = keyOf(await upload(before, randomBytes(1000)))
    s3.mood = 'busy'
    setTimeout(() => (s3.mood = 'well'), 3000)
    await move(true)
    expect(await bucket.sizeOf(key)).toBe(1000)
  })

  test('what is empty, or belongs to nothing, is left and told', async () => {
    const key = keyOf(await upload(before, randomBytes(1000)))
    const folder = join(before.dataDir, 'files')
    await truncate(join(folder, key))
    await mkdir(join(folder, 'pictures', 'f'.repeat(40)))
    await writeFile(join(folder, 'pictures', 'f'.repeat(40), '320.webp'), 'x')
    const moved = await move(true)
    expect(moved).toMatchObject({ empty: [key], strays: 1 })
    expect(await readdir(join(folder, 'resources'))).toContain(key.split('/')[1])
    await rm(join(folder, 'pictures', 'f'.repeat(40)), { recursive: true })
    await disk.remove(key)
  })
})
