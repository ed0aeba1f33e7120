/** Tests several builds in one folder: which files are served, and which builds are removed. */
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompressSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { createTestApp } from '#server/testing/app.ts'
import { loadSourceRenderer } from '#server/testing/pages.ts'
import { makeTestFolder } from '#server/testing/folder.ts'

const run = promisify(execFile)
const folder = await makeTestFolder()

const nameOf = (letter: string) => letter.repeat(16)

/** Makes a build with one file, `<letter>-file.js`. */
function makeBuild(dist: string, letter: string, minutes = 0): string {
  const build = join(dist, nameOf(letter))
  const assets = join(build, 'client/assets')
  mkdirSync(assets, { recursive: true })
  const text = `export const name = '${letter.repeat(500)}'`
  writeFileSync(join(assets, `${letter}-file.js`), text)
  writeFileSync(join(assets, `${letter}-file.js.br`), brotliCompressSync(text))
  const then = new Date(Date.now() - minutes * 60_000)
  utimesSync(build, then, then)
  return build
}

test('files of all existing builds are served, also compressed, and no other file is', async () => {
  const dist = join(folder, 'served')
  makeBuild(dist, 'a')
  const build = makeBuild(dist, 'b')
  writeFileSync(join(dist, 'secret.js'), 'no')
  const site = await createTestApp({}, { ...(await loadSourceRenderer()), folder: build })
  onTestFinished(() => site.close())
  for (const name of ['secret.js', '..%2Fsecret.js', 'c-file.js', 'a-file.js%00']) {
    const answer = await fetch(`${site.url}/assets/${name}`)
    expect([name, answer.status, answer.headers.get('cache-control')]).toEqual([
      name,
      404,
      'no-store',
    ])
  }
  for (const letter of ['b', 'a']) {
    const plain = await fetch(`${site.url}/assets/${letter}-file.js`, {
      headers: { 'accept-encoding': 'identity' },
    })
    expect(plain.status).toBe(200)
    expect(plain.headers.get('content-type')).toMatch(/javascript/)
    expect(plain.headers.get('cache-control')).toMatch(/immutable/)
    expect(plain.headers.get('x-content-type-options')).toBe('nosniff')
    const small = await fetch(`${site.url}/assets/${letter}-file.js`, {
      headers: { 'accept-encoding': 'br' },
    })
    expect(small.headers.get('content-encoding')).toBe('br')
    expect(await small.text()).toContain(letter.repeat(500))
  }
  // Another node may finish a newer build meanwhile.
  makeBuild(dist, 'c')
  expect((await fetch(`${site.url}/assets/c-file.js`)).status).toBe(200)
})

test('the newest three builds stay, and older ones that a running process serves', async () => {
  const dist = join(folder, 'swept')
  const letters = ['a', 'b', 'c', 'd', 'e', 'f']
  for (const [minutes, letter] of letters.entries()) makeBuild(dist, letter, minutes)
  const use = (letter: string, pid: number) => {
    mkdirSync(join(dist, nameOf(letter), 'used-by'), { recursive: true })
    writeFileSync(join(dist, nameOf(letter), 'used-by', `${pid}`), '')
    const then = new Date(Date.now() - 3_600_000)
    utimesSync(join(dist, nameOf(letter)), then, then)
  }
  const gone = 4_000_000
  use('e', process.pid)
  use('f', gone)
  for (const name of [`making-${gone}`, `dev-${gone}`, `dev-${process.pid}`, 'mine'])
    mkdirSync(join(dist, name))
  // Bundles of the server are counted separately.
  const bundles = ['1', '2', '3', '4', '5'].map((digit) => `server-${digit.repeat(16)}`)
  for (const [minutes, name] of bundles.entries()) {
    mkdirSync(join(dist, name, 'used-by'), { recursive: true })
    if (minutes === 4) writeFileSync(join(dist, name, 'used-by', `${process.pid}`), '')
    const then = new Date(Date.now() - minutes * 60_000)
    utimesSync(join(dist, name), then, then)
  }
  const code = `import { sweepBuilds } from ${JSON.stringify(resolve('scripts/build.mjs'))}
    sweepBuilds(${JSON.stringify(dist)})`
  await run(process.execPath, ['--input-type=module', '-e', code])
  const stay = bundles.filter((_, age) => age !== 3)
  const left = [...['a', 'b', 'c', 'e'].map(nameOf), ...stay, `dev-${process.pid}`, 'mine']
  expect(readdirSync(dist).toSorted()).toEqual(left.toSorted())
})

test('npm start reports a data folder in use before it installs or builds anything', async () => {
  const checkout = join(folder, 'checkout')
  cpSync('scripts', join(checkout, 'scripts'), { recursive: true })
  cpSync('package.json', join(checkout, 'package.json'))
  cpSync('package-lock.json', join(checkout, 'package-lock.json'))
  const data = join(checkout, 'data')
  mkdirSync(join(data, 'postgres'), { recursive: true })
  const stat = readFileSync('/proc/self/stat', 'latin1')
  const began = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  writeFileSync(join(data, 'postgres', 'postmaster.pid'), '')
  writeFileSync(join(data, 'postgres.owner'), `${process.pid}:${began}`)
  const { DATA_DIR: _, DATABASE_URL: __, ...env } = process.env
  const start = (script: string) =>
    run(process.execPath, [join(checkout, 'scripts', script)], { env, timeout: 15_000 }).then(
      () => 'started',
      (error: { stderr: string }) => error.stderr,
    )
  for (const script of ['start.mjs', 'dev.mjs']) {
    expect(await start(script)).toBe(
      `DATA_DIR (./data) is in use by process ${process.pid}. Stop it, or set DATA_DIR to another folder.\n`,
    )
  }
  expect(existsSync(join(checkout, 'node_modules'))).toBe(false)
  expect(existsSync(join(checkout, 'dist'))).toBe(false)
})
