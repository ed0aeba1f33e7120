/**
 * Subsets the three typefaces for the pages, writes their `@font-face` rules, and prints the sizes.
 * npx node scripts/fonts.mjs && npx oxfmt web/ui/fonts [--help]
 * The output is committed, so that builds need no harfbuzz and changes of fonts are visible in diffs.
 */
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import subsetFont from 'subset-font'
import { charactersOf, inLanguage, withKerningOf } from './font-tables.mjs'

if (process.argv.includes('--help')) {
  console.log(
    'Writes web/ui/fonts/*.woff2 and faces.css from the @fontsource-variable packages and prints their sizes.',
  )
  process.exit(0)
}

const from = new URL('../node_modules/@fontsource-variable/', import.meta.url)
const to = new URL('../web/ui/fonts/', import.meta.url)

const range = (first, last) => Array.from({ length: last - first + 1 }, (_, step) => first + step)
const codePoints = (text) => Array.from(text, (character) => character.codePointAt(0))
const without = (all, some) => all.filter((codePoint) => !some.includes(codePoint))

// A browser loads a file if the page uses any of its characters. Characters of nearly every page therefore share a
// file, and rare ones have their own: symbols, accented letters, Cyrillic that Bulgarian doesn't use.
const WRITTEN = [...range(0x20, 0x7e), ...codePoints('\u00A0©«®°·»×–—‘’‚“”„•…€™↑↓−')].toSorted(
  (one, other) => one - other,
)
const COMMON = codePoints(
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 \u00A0!"%&\'()+,-./:;?–—‘’“”„…−',
)
// For e-mail addresses, names and password dots, which only appear in controls.
const COMMON_IN_CONTROLS = [...COMMON, ...codePoints('@_©·×•')]
const SOFT_HYPHEN = 0xad
const ACCENTS = [...without(range(0xa1, 0xff), [...WRITTEN, SOFT_HYPHEN]), ...codePoints('ıŒœ‹›')]
const STRESS = 0x301
const BULGARIAN = [
  STRESS,
  ...codePoints('АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЬЮЯабвгдежзийклмнопрстуфхцчшщъьюяЍѝ№'),
]
const CYRILLIC = [STRESS, ...range(0x400, 0x45f), 0x490, 0x491, 0x2116]

/** The files of a typeface: their names, the package's source file, and the characters. */
const filesOf = (common) => [
  ['latin', 'latin', WRITTEN.filter((codePoint) => common.includes(codePoint))],
  ['signs', 'latin', without(WRITTEN, common)],
  ['accents', 'latin', ACCENTS],
  ['cyrillic', 'cyrillic', [STRESS, ...without(CYRILLIC, BULGARIAN)]],
  // The last file that contains a character is used, so that a stressed letter comes from a single file.
  ['bulgarian', 'cyrillic', BULGARIAN.toSorted((one, other) => one - other)],
]

// lnum and tnum provide the second style of digits. Small capitals, swashes and fractions are not used but are as
// large as the letters.
const FEATURES = ['kern', 'liga', 'calt', 'mark', 'lnum', 'tnum']

// `kerned` is the weight whose kerning is used for all weights. The italic has a single weight, because it is only
// used for single lines and its axis would cost 25 kB per page. All our Cyrillic texts are marked as Bulgarian, so
// Vollkorn contains only those forms.
const faces = [
  {
    name: 'Vollkorn',
    family: 'vollkorn',
    wght: { min: 400, max: 600, default: 400 },
    kerned: 500,
    files: filesOf(COMMON),
  },
  { name: 'Vollkorn', family: 'vollkorn', style: 'italic', wght: 400, files: filesOf(COMMON) },
  {
    name: 'Sofia Sans',
    family: 'sofia-sans',
    wght: { min: 400, max: 700, default: 400 },
    kerned: 550,
    files: filesOf(COMMON_IN_CONTROLS),
  },
  {
    name: 'JetBrains Mono',
    family: 'jetbrains-mono',
    wght: 400,
    // Without ligatures, a monospaced font shows what was typed.
    features: ['ccmp', 'locl', 'mark'],
    files: [
      ['latin', 'latin', WRITTEN],
      ['accents', 'latin', ACCENTS],
      ['cyrillic', 'cyrillic', CYRILLIC],
    ],
  },
]

/** Returns the subset font, also as woff2. */
async function cut(source, characters, { wght, kerned, features = FEATURES }) {
  const subset = (weight) =>
    subsetFont(source, String.fromCodePoint(...characters), {
      targetFormat: 'truetype',
      keepFeatures: features,
      variationAxes: { wght: weight },
      noHinting: true,
    })
  const whole = await subset(wght)
  const kernedFont = kerned === undefined ? whole : withKerningOf(whole, await subset(kerned))
  const pack = { targetFormat: 'woff2', keepAllGlyphs: true }
  return { font: kernedFont, woff2: await subsetFont(kernedFont, undefined, pack) }
}

/** Formats code points for `unicode-range`: `U+20-22, U+25`. */
function unicodeRange(characters) {
  const runs = []
  for (const codePoint of characters) {
    const last = runs.at(-1)
    if (last !== undefined && codePoint === last[1] + 1) last[1] = codePoint
    else runs.push([codePoint, codePoint])
  }
  const hex = (codePoint) => codePoint.toString(16).toUpperCase()
  return runs
    .map(([first, last]) => `U+${hex(first)}${last === first ? '' : `-${hex(last)}`}`)
    .join(', ')
}

const rules = ['/* Written by scripts/fonts.mjs. */']
for (const face of faces) {
  const { name, family, style = 'normal', wght, files } = face
  const weight = typeof wght === 'number' ? `${wght}` : `${wght.min} ${wght.max}`
  for (const [part, file, characters] of files) {
    const url = new URL(`${family}/files/${family}-${file}-wght-${style}.woff2`, from)
    const packed = await readFile(url)
    const whole = await subsetFont(packed, undefined, {
      targetFormat: 'truetype',
      keepAllGlyphs: true,
    })
    const source =
      family === 'vollkorn' && file === 'cyrillic' ? inLanguage(whole, 'bg', 'Cyrl') : whole
    const written = `${family}-${part}${style === 'italic' ? '-italic' : ''}.woff2`
    const { font, woff2 } = await cut(source, characters, face)
    await writeFile(new URL(written, to), woff2)
    console.log(`${written.padEnd(34)} ${(woff2.length / 1000).toFixed(1)} kB`)
    rules.push(
      '@font-face {',
      `  font-family: '${name}';`,
      ...(style === 'italic' ? ['  font-style: italic;'] : []),
      `  font-weight: ${weight};`,
      '  font-display: swap;',
      `  src: url('./${written}') format('woff2');`,
      `  unicode-range: ${unicodeRange(charactersOf(font))};`,
      '}',
    )
  }
  await copyFile(new URL(`${family}/LICENSE`, from), new URL(`OFL-${family}.txt`, to))
}
await writeFile(new URL('faces.css', to), `${rules.join('\n')}\n`)
