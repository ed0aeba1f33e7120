/**
 * Checks docs/security.md against OWASP ASVS 5.0 level 2: it lists each requirement once, and the cited tests
 * exist.
 */
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Number of requirements of levels 1 and 2 per section. They precede those of level 3. */
const SECTIONS: Readonly<Record<string, number>> = {
  '1.1': 2,
  '1.2': 9,
  '1.3': 11,
  '1.4': 3,
  '1.5': 2,
  '2.1': 3,
  '2.2': 3,
  '2.3': 4,
  '2.4': 1,
  '3.2': 2,
  '3.3': 4,
  '3.4': 6,
  '3.5': 5,
  '3.7': 2,
  '4.1': 3,
  '4.2': 1,
  '4.3': 2,
  '4.4': 4,
  '5.1': 1,
  '5.2': 3,
  '5.3': 2,
  '5.4': 3,
  '6.1': 3,
  '6.2': 11,
  '6.3': 4,
  '6.4': 4,
  '6.5': 5,
  '6.6': 3,
  '6.8': 4,
  '7.1': 3,
  '7.2': 4,
  '7.3': 2,
  '7.4': 5,
  '7.5': 2,
  '7.6': 2,
  '8.1': 2,
  '8.2': 3,
  '8.3': 1,
  '8.4': 1,
  '9.1': 3,
  '9.2': 4,
  '10.1': 2,
  '10.2': 2,
  '10.3': 4,
  '10.4': 11,
  '10.5': 5,
  '10.6': 2,
  '10.7': 3,
  '11.1': 2,
  '11.2': 3,
  '11.3': 3,
  '11.4': 4,
  '11.5': 1,
  '11.6': 1,
  '12.1': 3,
  '12.2': 2,
  '12.3': 4,
  '13.1': 1,
  '13.2': 5,
  '13.3': 2,
  '13.4': 5,
  '14.1': 2,
  '14.2': 4,
  '14.3': 3,
  '15.1': 3,
  '15.2': 3,
  '15.3': 7,
  '16.1': 1,
  '16.2': 5,
  '16.3': 4,
  '16.4': 3,
  '16.5': 3,
  '17.1': 1,
  '17.2': 4,
  '17.3': 2,
}

/** Requirements about documentation or people. A passage must exist instead of a test. */
const PASSAGES: Readonly<Record<string, string>> = {
  '2.1.2': 'asks where rules between fields are written down',
  '2.1.3': 'asks where limits are written down; each has a test where it holds',
  '5.1.1': 'asks where the rules of uploads are written down; each has a test under 5.2 and 5.3',
  '6.1.3': 'asks where the ways in are written down; each has a test under 6.3 to 6.8',
  '15.1.1': 'asks for a promise to those who report holes',
  '15.1.3': 'asks where dear calls are written down; that they take turns is held under 15.2.2',
  '15.2.1': 'is kept by whoever releases: what has holes today no test knows tomorrow',
  '16.1.1': 'asks where logs are written down',
}

const rows = readFileSync('docs/security.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| \d+\.\d+\.\d+ \|/.test(line))
  .map((line) => {
    const [number = '', , , held = ''] = line.slice(2, -2).split(' | ')
    return { number, held }
  })

test('every requirement of levels 1 and 2 has one line', () => {
  const expected = Object.entries(SECTIONS).flatMap(([section, count]) =>
    Array.from({ length: count }, (_, place) => `${section}.${place + 1}`),
  )
  expect(rows.map(({ number }) => number)).toEqual(expected)
})

test('each line names a test, a passage, a gap, the operator, or why it does not apply', () => {
  const wrong = rows.flatMap(({ number, held }) => {
    if (/^(?:gap|operator|does not apply): ./.test(held)) return []
    const [, file = '', passage = ''] = /^`([^`]+)`: (.+)$/.exec(held) ?? []
    if (file === '' || !existsSync(file)) return [`${number}: no such file: ${held}`]
    const text = readFileSync(file, 'utf8')
    const isTest = file.endsWith('.test.ts')
    const isThere = isTest ? titlesOf(text).includes(passage) : text.includes(passage)
    return isThere ? [] : [`${number}: ${file} has no ${isTest ? 'test' : 'passage'} “${passage}”`]
  })
  expect(wrong).toEqual([])
})

test('each applicable line names a test, except requirements for documentation', () => {
  const applying = rows.filter(({ held }) => !/^(?:gap|operator|does not apply): /.test(held))
  const untested = applying.filter(({ held }) => !/^`[^`]+\.test\.ts`: /.test(held))
  expect(untested.map(({ number }) => number)).toEqual(Object.keys(PASSAGES))
})

/** Returns the test titles in a file as they are written. */
function titlesOf(text: string): string[] {
  const pattern =
    /\b(?:test|it)(?:\.\w+)?(?:<[^\n]*?>)?(?:\((?:[^\n]*?|\[\n.*?\n\s*\])\))?\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gs
  return [...text.matchAll(pattern)].map(([, , title = '']) => title.replaceAll(/\\(.)/g, '$1'))
}
