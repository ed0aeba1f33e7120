/** Tests the separate process that decodes pictures, also when it is killed. */
import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { decode, DecodingError, decodingProcess } from '#server/platform/files/decoding.ts'
import { Refusal } from '#server/kernel/errors.ts'

const picture = (width: number) =>
  sharp({ create: { width, height: 800, channels: 3, background: '#336699' } })
    .jpeg()
    .toBuffer()
const isThere = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

afterAll(() => {
  const pid = decodingProcess()
  if (pid !== null) process.kill(pid, 'SIGKILL')
})

test('a file that is no picture is refused, and the next one is decoded', async () => {
  const nothing = decode('picture', async () => Buffer.from('no picture'), 'ann')
  await expect(nothing).rejects.toBeInstanceOf(DecodingError)
  const bytes = await picture(900)
  expect(await decode('picture', async () => bytes, 'ann')).toMatchObject({
    width: 900,
    height: 800,
  })
})

test('a process that is killed under its work costs nobody their picture', async () => {
  const bytes = await picture(4000)
  for (let round = 0; round < 5; round += 1) {
    const work = decode('picture', async () => bytes, 'ann')
    await expect.poll(decodingProcess).not.toBeNull()
    process.kill(decodingProcess() ?? 0, 'SIGKILL')
    expect(await work).toMatchObject({ width: 4000, height: 800 })
  }
})

test('one picture is decoded at a time, and above sixteen waiting ones callers are told to retry', async () => {
  const bytes = await picture(700)
  let [reading, most] = [0, 0]
  const read = async () => {
    reading += 1
    most = Math.max(most, reading)
    await new Promise((resolve) => setTimeout(resolve, 5))
    reading -= 1
    return bytes
  }
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, () => decode('preview', read, 'ann')),
  )
  const refused = results.filter((result) => result.status === 'rejected')
  expect([refused.length, most]).toEqual([4, 1])
  for (const { reason } of refused) {
    expect(reason).toBeInstanceOf(Refusal)
    expect(reason).toMatchObject({ status: 503, retryAfter: 5 })
  }
})

test('pictures of one person never block those of another', async () => {
  const bytes = await picture(100)
  const read = async () => bytes
  const many = Array.from({ length: 16 }, () => decode('preview', read, 'ann'))
  const ended = Promise.allSettled(many)
  const other = decode('preview', read, 'bob')
  await expect(other).resolves.toBeDefined()
  const refused = (await ended).filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(1)
})

test('the process knows nothing of our environment, and ends when there is nothing to do', async () => {
  await decode('preview', () => picture(100), 'ann')
  const pid = decodingProcess() ?? 0
  expect(isThere(pid)).toBe(true)
  if (process.platform === 'linux') {
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8')
    expect(environment.split('\0')).toContain('MALLOC_ARENA_MAX=2')
    expect(environment).not.toMatch(/PATH=|SECRET|HOME=/)
  }
  await expect.poll(() => isThere(pid), { timeout: 30_000 }).toBe(false)
  expect(decodingProcess()).toBeNull()
}, 60_000)
