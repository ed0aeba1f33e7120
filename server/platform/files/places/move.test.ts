/** Files move from the disk to a bucket and back while the site uses both. */
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { joinStorages } from '#server/platform/files/places/layers.ts'
import { moveFiles } from '#server/platform/files/places/move.ts'
import type { Storage } from '#server/platform/core/storage.ts'
import { bearer, sha } from '#server/testing/http/uploads.ts'
import { keyOf, openPlaces } from '#server/testing/s3/places.ts'
import { uploadFile } from '#server/testing/http/forms.ts'

const { s3, before, site, ann, disk, bucket, download } = await openPlaces()
beforeEach(() => {
  s3.mood = 'well'
})
describe('while the site runs', () => {
  const move = (remove = false) =>
    moveFiles({ db: before.app.database.db, from: disk, to: bucket, remove })

  test('existing files are served from the disk, and new ones go to the bucket', async () => {
    const [old, fresh] = [randomBytes(1000), randomBytes(2000)]
    const oldUrl = await uploadFile(before, ann, 'plan.pdf', old)
    const freshUrl = await uploadFile(site, ann, 'plan.pdf', fresh)
    expect(await disk.sizeOf(keyOf(freshUrl))).toBeNull()
    expect([await download(oldUrl), await download(freshUrl)]).toEqual([sha(old), sha(fresh)])
    await move(true)
    expect([await download(oldUrl), await download(freshUrl)]).toEqual([sha(old), sha(fresh)])
  })

  test('a file deleted while it is copied leaves no copy', async () => {
    const key = keyOf(await uploadFile(before, ann, 'plan.pdf', randomBytes(1000)))
    const both = joinStorages(bucket, disk)
    const slow: Storage = {
      ...bucket,
      put: async (name, content, sha256) => {
        await bucket.put(name, content, sha256)
        // The site deletes the file right after the copy was made.
        if (name === key) await both.remove(key)
      },
    }
    const { db } = before.app.database
    const moved = await moveFiles({ db, from: disk, to: slow, remove: false }).catch(String)
    expect(moved).toMatchObject({ gone: 1 })
    expect([await bucket.sizeOf(key), await disk.sizeOf(key)]).toEqual([null, null])
  })

  test('a wrong copy is made again, and never stays', async () => {
    const key = keyOf(await uploadFile(before, ann, 'plan.pdf', randomBytes(1000)))
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

  test('an upload that began on the disk continues there, and is moved when it is complete', async () => {
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

  test('the move waits for a busy bucket', async () => {
    const key = keyOf(await uploadFile(before, ann, 'plan.pdf', randomBytes(1000)))
    s3.mood = 'busy'
    setTimeout(() => (s3.mood = 'well'), 3000)
    await move(true)
    expect(await bucket.sizeOf(key)).toBe(1000)
  })

  test('empty and unknown files are left and reported', async () => {
    const key = keyOf(await uploadFile(before, ann, 'plan.pdf', randomBytes(1000)))
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
