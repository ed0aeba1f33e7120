/** Tests that the committed font files contain the characters that faces.css promises. */
import { readFile, readdir, stat } from 'node:fs/promises'
import * as harfbuzz from 'harfbuzzjs'
import subsetFont from 'subset-font'
import { expect, test } from 'vitest'

const FOLDER = import.meta.dirname

/** The characters that faces.css promises for each file. */
async function readRules(): Promise<ReadonlyMap<string, readonly number[]>> {
  const css = await readFile(`${FOLDER}/faces.css`, 'utf8')
  const rules = /url\('\.\/([^']+)'\)[^;]*;\s*unicode-range:([^;]+);/g
  return new Map(
    Array.from(css.matchAll(rules), ([, file = '', ranges = '']) => [file, charactersOf(ranges)]),
  )
}

function charactersOf(ranges: string): readonly number[] {
  return ranges.split(',').flatMap((range) => {
    const [first = 0, last = first] = range
      .trim()
      .slice('U+'.length)
      .split('-')
      .map((hex) => Number.parseInt(hex, 16))
    return Array.from({ length: last - first + 1 }, (_, step) => first + step)
  })
}

async function charactersIn(file: string): Promise<readonly number[]> {
  const font = await subsetFont(await readFile(`${FOLDER}/${file}`), undefined, {
    targetFormat: 'truetype',
    keepAllGlyphs: true,
  })
  const contained = new harfbuzz.Face(new harfbuzz.Blob(font)).collectUnicodes()
  return [...contained].toSorted((one, other) => one - other)
}

test('each file contains the characters of its unicode-range, and each file has a rule', async () => {
  const rules = await readRules()
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.woff2'))
  expect([...rules.keys()].toSorted()).toEqual(files.toSorted())
  for (const [file, promised] of rules) expect(await charactersIn(file), file).toEqual(promised)
})

test('the fonts of a page with titles in both languages have 70 KB at most', async () => {
  const files = [
    'vollkorn-latin',
    'vollkorn-bulgarian',
    'vollkorn-latin-italic',
    'sofia-sans-latin',
    'sofia-sans-bulgarian',
  ]
  const sizes = await Promise.all(files.map((file) => stat(`${FOLDER}/${file}.woff2`)))
  expect(sizes.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(70 * 1024)
})
