/** The environment file of an installation is read as systemd and a shell read it. */
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { mergeSettings, readSettings } from '#scripts/setup/settings.mjs'

/** Returns what a shell understands. */
function readByShell(text: string, name: string): string {
  const script = `set -a; ${text}\nprintf %s "$${name}"`
  return execFileSync('sh', ['-c', script], { encoding: 'utf8', env: {} })
}

test.each([
  ["A='b c'", 'b c'],
  ['A="b c"', 'b c'],
  ["A='smtp://u:p%27w@mail.test:587?x=1&y=$2'", 'smtp://u:p%27w@mail.test:587?x=1&y=$2'],
  ['A=7d,4w,12m ', '7d,4w,12m'],
  ['  A=', ''],
  ["# A='no'\nA=1\nA=2", '2'],
])('%s is %s, as for a shell', (text, value) => {
  expect(readSettings(text)).toEqual({ A: value })
  expect(readByShell(text, 'A')).toBe(value)
})

test.each([
  'A=b c',
  "A='b' # a comment",
  "A='b'c",
  'A="$HOME"',
  "export A='b'",
  "A='b\nc'",
  "A = 'b'",
  'A=~/b',
  "A='b'\r",
  'A',
])('%j is refused with its line and without its value', (line) => {
  const secret = "B='geheim'"
  expect(() => readSettings(`${secret}\n${line}\n`)).toThrow(/^Line 2 of .* can't be read/)
  expect(() => readSettings(`${line}\n`)).not.toThrow(/geheim/)
})

test('a change replaces the line that counts, and leaves the others as they are', () => {
  const text = "# ours\nA=1\nA=3\nB='two'"
  expect(mergeSettings(text, { A: '3' })).toBe(text)
  expect(mergeSettings(text, { A: '4', C: "o'c" })).toBe(`# ours\nA=1\nA='4'\nB='two'\nC="o'c"\n`)
  expect(mergeSettings('', { A: '$&' })).toBe("A='$&'\n")
  for (const value of ['a\nb', `'"`, "'$x"])
    expect(() => mergeSettings('', { A: value })).toThrow(/percent-encode/)
})
