#!/usr/bin/env node
// Generates the two tables of confusable characters from Unicode's (UTS #39): all of them for usernames, and for
// the comment judge those that look like one or two ASCII letters.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const TARGET = join(import.meta.dirname, '../server/kernel/text/confusables.json')
const LETTERS_TARGET = join(import.meta.dirname, '../packages/opinion/src/look-alikes.json')
const [source] = process.argv.slice(2)
if (source === undefined || source === '--help') {
  console.log(`node scripts/confusables.mjs <confusables.txt>
Get the file at https://www.unicode.org/Public/security/latest/confusables.txt`)
  process.exit(source === undefined ? 1 : 0)
}

const prototypes = new Map()
for (const line of readFileSync(source, 'utf8').split('\n')) {
  const match = /^\uFEFF?([0-9A-F]+) ;\s*([0-9A-F ]+?)\s*;/.exec(line)
  if (match === null) continue
  prototypes.set(String.fromCodePoint(Number.parseInt(match[1], 16)), fromHex(match[2]))
}

function fromHex(points) {
  return String.fromCodePoint(...points.split(' ').map((point) => Number.parseInt(point, 16)))
}

const fold = (text) =>
  text.normalize('NFKC').toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFD')
const look = (text) => [...text].map((character) => prototypes.get(character) ?? character).join('')
const isAscii = (text) => /^[a-z0-9]+$/.test(text)

/**
 * Returns what a folded character looks like in lower case, or in upper case if only its capital looks like a
 * Latin letter.
 */
function keyOf(character) {
  const lower = fold(look(character))
  const upper = fold(look(character.toUpperCase()))
  return isAscii(lower) || !isAscii(upper) ? lower : upper
}

/** A capital i looks like a small L, so i, l and 1 share a key. */
const settle = (key) => [...key].map(keyOf).join('').replaceAll(/[i1]/g, 'l')

const groups = new Map()
for (let point = 0x30; point < 0x110000; point += 1) {
  if (point >= 0xd800 && point < 0xe000) continue
  const character = String.fromCodePoint(point)
  if (!/^[\p{L}\p{M}\p{N}]$/u.test(character) || fold(character) !== character) continue
  let key = keyOf(character)
  for (let round = 0; round < 5; round += 1) key = settle(key)
  if (key !== character) groups.set(key, (groups.get(key) ?? '') + character)
}
const sorted = Object.fromEntries([...groups].toSorted(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync(TARGET, `${JSON.stringify(sorted, null, 2)}\n`)
const letters = Object.entries(sorted).filter(([key]) => /^[a-z0-9а-я]{1,2}$/.test(key))
writeFileSync(LETTERS_TARGET, `${JSON.stringify(Object.fromEntries(letters), null, 2)}\n`)
console.log(`${groups.size} prototypes, ${[...groups.values()].join('').length} characters`)
