/** Every command in package.json with arguments prints its help and refuses unknown ones. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  scripts: Record<string, string>
}
/** These pass their arguments on to another program, or parse them themselves. */
const OTHERS = ['dev', 'test', 'test:more', 'test:e2e', 'check:db-types']
const commands = Object.entries(scripts).flatMap(([name, line]) => {
  const [, words] = /^(?:exec )?node (\S+\.(?:mjs|ts).*)$/.exec(line) ?? []
  return words === undefined || OTHERS.includes(name) ? [] : [[name, words.split(' ')] as const]
})

test('the test finds all commands', () => {
  expect(commands.map(([name]) => name)).toEqual(
    expect.arrayContaining(['sbom', 'licences', 'db:types', 'access', 'opinion:evaluate', 'admin']),
  )
})

test.concurrent.each(commands)(
  '%s prints its help and refuses an unknown option',
  async (_, words) => {
    const help = await run(process.execPath, [...words, '--help'])
    expect(help.stdout.trim().length).toBeGreaterThan(20)
    const unknown = run(process.execPath, [...words, '--no-such-option'])
    await expect(unknown).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('--no-such-option'),
    })
  },
  60_000,
)
