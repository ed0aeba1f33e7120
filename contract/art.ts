/**
 * Generated art: pure functions that take a seed and return SVG text. A seed must always give the same picture,
 * because the server serves the pictures as immutable and the browser draws them itself.
 */

import { dyeOf, dyes, type Seed } from '#contract/dyes.ts'
import { motifs } from '#contract/motifs.ts'
import { pick, randomFrom } from '#contract/random.ts'

const svg = (viewBox: string, body: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}" preserveAspectRatio="xMidYMid slice">${body}</svg>`

/** A cover without a pattern, for a lesson that has no id yet to draw one from. */
export const blankCover = svg('0 0 320 180', '<rect width="320" height="180" fill="#d9cfba"/>')

/**
 * The patterned cover of a lesson without a suitable picture. CSS draws the spine, so that uploaded pictures get
 * one too.
 */
export function cover(seed: Seed, width = 320, height = 180): string {
  const random = randomFrom(String(seed))
  const [dark, pale, print, second] = dyeOf(seed)
  const pairs = [
    [pale, print, second],
    [pale, print, second],
    [dark, pale, print],
    [dark, print, pale],
    [dark, print, pale],
  ] as const
  const [ground, ink, accent] = pick(random, pairs)
  const [tileWidth, tileHeight, marks] = pick(random, motifs)(random, ink, accent, ground)
  const scale = (1.05 + random() * 0.45).toFixed(2)
  const tile = `width="${tileWidth}" height="${tileHeight}"`
  const pattern = `<pattern id="p" ${tile} patternUnits="userSpaceOnUse" patternTransform="scale(${scale})"><rect ${tile} fill="${ground}"/>${marks}</pattern>`
  return svg(
    `0 0 ${width} ${height}`,
    `${pattern}<rect width="${width}" height="${height}" fill="url(#p)"/>`,
  )
}

/** The picture of a course: one spine for each lesson, in the lesson's colour. */
export function shelf(seeds: readonly Seed[], width = 320, height = 180): string {
  const random = randomFrom(seeds.join())
  const [board, wall] = dyeOf(`${seeds[0] ?? ''}wall`)
  const base = height - 16
  const shares = seeds.map(() => 0.8 + random() * 0.6)
  const room = Math.min(width - 56, seeds.length * 34)
  const unit = room / shares.reduce((sum, share) => sum + share, 0)
  let x = (width - room) / 2
  let spines = ''
  for (const [index, share] of shares.entries()) {
    const [dark, pale] = dyeOf(seeds[index] ?? '')
    const wide = share * unit
    const tall = (0.58 + random() * 0.3) * height
    const leans = index === seeds.length - 1 && seeds.length > 3
    const lean = leans ? ` transform="rotate(7 ${(x + wide).toFixed(1)} ${base})"` : ''
    const rules = pick(random, [
      [14, tall - 14],
      [12, 17, tall - 17, tall - 12],
      [tall * 0.3, tall * 0.7],
    ])
    const bands = rules.map((y) => `M0 ${y}h${wide}`).join('')
    const label =
      random() > 0.45
        ? `<rect x="${wide * 0.16}" y="${tall * 0.24}" width="${wide * 0.68}" height="${tall * 0.32}" fill="${pale}"/>`
        : `<path d="M${wide / 2} ${tall * 0.28}V${tall * 0.66}" stroke="${pale}" stroke-width="2.5"/>`
    const light = `<rect width="2" height="${tall}" fill="#000" opacity=".22"/><rect x="2" width="2" height="${tall}" fill="#fff" opacity=".14"/>`
    const place = `<g transform="translate(${x.toFixed(1)} ${(base - tall).toFixed(1)})">`
    spines += `<g${lean}>${place}<rect width="${wide}" height="${tall}" fill="${dark}"/><path d="${bands}" stroke="${pale}" stroke-width="1.5" opacity=".75"/>${label}${light}</g></g>`
    x += wide + (leans ? 0 : 0.6) + (index === seeds.length - 2 ? 8 : 0)
  }
  const plank = `<rect y="${base}" width="${width}" height="16" fill="${board}"/><rect y="${base}" width="${width}" height="3" fill="#fff" opacity=".18"/>`
  return svg(
    `0 0 ${width} ${height}`,
    `<rect width="${width}" height="${height}" fill="${wall}"/>${spines}${plank}`,
  )
}

/** The picture of a person: a rosette of pointed petals. */
export function avatar(seed: Seed): string {
  const random = randomFrom(`who${seed}`)
  const [cloth, pale, print, second] = pick(random, dyes)
  const petals = pick(random, [5, 6, 6, 6, 8, 8])
  const reach = 27
  const half = Math.PI / petals
  const wide = reach * Math.sin(half) * pick(random, [0.62, 0.8, 0.95])
  const isDark = random() > 0.42
  const [ground, ink, accent] = isDark ? [cloth, pale, print] : [pale, cloth, second]
  const ring = (path: string) =>
    Array.from(
      { length: petals },
      (_, n) => `<path d="${path}" transform="rotate(${((360 / petals) * n).toFixed(1)})"/>`,
    ).join('')
  const bead = `M${(Math.sin(half) * (reach - 6)).toFixed(1)} ${(-Math.cos(half) * (reach - 6) - 3.2).toFixed(1)}a3.2 3.2 0 1 1 -.01 0z`
  const disc = `<circle r="${reach}" fill="${isDark ? print : cloth}"/>`
  const between = pick(random, [
    `<g fill="${accent}">${ring(bead)}</g>`,
    `<circle r="${reach * 0.5}" fill="none" stroke="${accent}" stroke-width="3"/>`,
    disc,
  ])
  const petal = `M0 0Q${wide.toFixed(1)} ${-reach / 2} 0 ${-reach}Q${(-wide).toFixed(1)} ${-reach / 2} 0 0z`
  const flower = `${between}<g fill="${between === disc ? pale : ink}">${ring(petal)}</g><circle r="5" fill="${ground}"/><circle r="2.6" fill="${accent}"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="${ground}"/><g transform="translate(32 32)">${flower}</g></svg>`
}
