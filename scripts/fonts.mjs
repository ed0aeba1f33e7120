/**
 * Cuts the three typefaces down to what the pages use, and prints what each file weighs.
 *
 *   npx node scripts/fonts.mjs [--help]
 *
 * The output is committed: a build needs no harfbuzz, and a change of a face is seen in a diff.
 */
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import subsetFont from 'subset-font'

if (process.argv.includes('--help')) {
  console.log(
    'Writes web/ui/fonts/*.woff2 from the @fontsource-variable packages and prints their sizes.',
  )
  process.exit(0)
}

const from = new URL('../node_modules/@fontsource-variable/', import.meta.url)
const to = new URL('../web/ui/fonts/', import.meta.url)

/** The characters of a list of code points and [first, last] ranges. */
const characters = (ranges) =>
  ranges
    .flatMap((range) => {
      const [first, last] = Array.isArray(range) ? range : [range, range]
      return Array.from({ length: last - first + 1 }, (_, step) =>
        String.fromCodePoint(first + step),
      )
    })
    .join('')

// Keep these in step with unicode-range in web/ui/styles/fonts.css. Accented letters are rare in our two
// languages, so they are files of their own that a page loads only when a name or a title has one.
const scripts = {
  latin: [
    'latin',
    [
      [0x20, 0x7e],
      0xa0,
      0xa9,
      0xab,
      0xae,
      0xb0,
      0xb7,
      0xbb,
      0xd7,
      [0x2013, 0x2014],
      [0x2018, 0x201a],
      [0x201c, 0x201e],
      0x2022,
      0x2026,
      0x202f,
      0x20ac,
      0x2122,
      0x2191,
      0x2193,
      0x2212,
    ],
  ],
  accents: [
    'latin',
    [
      [0xa1, 0xa8],
      0xaa,
      0xac,
      0xaf,
      [0xb1, 0xb6],
      [0xb8, 0xba],
      [0xbc, 0xd6],
      [0xd8, 0xff],
      0x131,
      [0x152, 0x153],
      [0x2010, 0x2012],
      0x2015,
      0x2039,
      0x203a,
    ],
  ],
  cyrillic: ['cyrillic', [0x301, [0x400, 0x45f], [0x490, 0x491], 0x2116]],
}

// locl carries the Bulgarian letterforms, lnum/onum/tnum/pnum the two kinds of figures.
// Small capitals, swashes and fractions are never asked for and weigh as much as the letters.
const features = [
  'kern',
  'liga',
  'calt',
  'ccmp',
  'locl',
  'mark',
  'mkmk',
  'lnum',
  'onum',
  'tnum',
  'pnum',
]

// The italic is one weight: it sets single lines, and its axis would cost 25 kB a page.
const faces = [
  { family: 'vollkorn', style: 'normal', wght: { min: 400, max: 600, default: 400 } },
  { family: 'vollkorn', style: 'italic', wght: 400 },
  { family: 'sofia-sans', style: 'normal', wght: { min: 400, max: 700, default: 400 } },
  { family: 'jetbrains-mono', style: 'normal', wght: 400 },
]

for (const { family, style, wght } of faces) {
  for (const [script, [file, ranges]] of Object.entries(scripts)) {
    const source = await readFile(
      new URL(`${family}/files/${family}-${file}-wght-${style}.woff2`, from),
    )
    const cut = await subsetFont(source, characters(ranges), {
      targetFormat: 'woff2',
      // A code face without its ligatures shows what was typed.
      keepFeatures: family === 'jetbrains-mono' ? ['ccmp', 'locl', 'mark'] : features,
      variationAxes: { wght },
      noHinting: true,
    })
    const name = `${family}-${script}${style === 'italic' ? '-italic' : ''}.woff2`
    await writeFile(new URL(name, to), cut)
    console.log(`${name.padEnd(34)} ${(cut.length / 1000).toFixed(1)} kB`)
  }
  await copyFile(new URL(`${family}/LICENSE`, from), new URL(`OFL-${family}.txt`, to))
}
