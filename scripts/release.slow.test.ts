/** Unpacks the release archive in an empty folder, and starts it with the packages that it installs. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { findTestPort } from '#server/testing/port.ts'
import { makeTestFolder } from '#server/testing/folder.ts'

const run = promisify(execFile)
const folder = await makeTestFolder()
await chmod(folder, 0o755)
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }

/** Links the packages that `npm ci --omit=dev` installs, instead of downloading them. */
async function linkPackages(release: string): Promise<void> {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { dev?: boolean; link?: boolean }>
  }
  const paths = Object.entries(lock.packages).flatMap(([path, { dev, link }]) =>
    /^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path) && !dev && !link && existsSync(path)
      ? [path]
      : [],
  )
  // npm makes it for the programs of packages.
  await mkdir(join(release, 'node_modules', '.bin'), { recursive: true })
  await run('cp', ['-al', '--parents', ...paths, 'node_modules/.package-lock.json', release])
}

test.runIf(existsSync('.git'))(
  'a release starts in an empty folder without the packages of development',
  async () => {
    await run(process.execPath, ['scripts/release.mjs', '--to', folder])
    const name = `knowledge-bazaar-${version}`
    await run('sha256sum', ['-c', `${name}.tar.gz.sha256`], { cwd: folder })
    const empty = join(folder, 'empty')
    await mkdir(empty)
    await run('tar', ['-C', empty, '-xzf', join(folder, `${name}.tar.gz`)])
    const release = join(empty, name)
    expect(await readdir(release)).not.toContain('web')
    await linkPackages(release)
    for (const absent of ['vite', 'vitest', '@playwright', 'oxlint'])
      expect(existsSync(join(release, 'node_modules', absent))).toBe(false)

    const port = await findTestPort()
    const { DATABASE_URL: _, ...env } = process.env
    const settings = {
      DATA_DIR: join(folder, 'data'),
      PORT: `${port}`,
      METRICS_PORT: '0',
      DRAIN_SECONDS: '0',
    }
    const started = spawn(process.execPath, ['scripts/start.mjs'], {
      cwd: release,
      env: { ...env, NODE_ENV: 'production', ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    onTestFinished(async () => {
      started.kill('SIGINT')
      if (started.exitCode === null) await once(started, 'close')
    })
    let output = ''
    for (const stream of [started.stdout, started.stderr])
      stream.on('data', (piece: Buffer) => (output += String(piece)))
    const ready = () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        (answer) => answer.json(),
        () => output,
      )
    await expect.poll(ready, { timeout: 60_000, interval: 200 }).toEqual({ status: 'ready' })
    expect(output).not.toMatch(/Installing|Building/)
    expect(await (await fetch(`http://127.0.0.1:${port}/lesson/all`)).text()).toContain('</html>')
  },
  300_000,
)
