/** The twelve motifs of the patterned covers. Each draws one tile and returns its width, height and shapes. */

import { pick, type Random } from '#contract/random.ts'

type Tile = readonly [width: number, height: number, marks: string]
type Motif = (random: Random, ink: string, accent: string, ground: string) => Tile

const filled = (path: string, fill: string) => `<path d="${path}" fill="${fill}"/>`
const drawn = (path: string, stroke: string, width: number) =>
  `<path d="${path}" fill="none" stroke="${stroke}" stroke-width="${width}"/>`
const block = (x: number, y: number, width = 1, height = 1) =>
  `M${x} ${y}h${width}v${height}h${-width}z`
const dot = (x: number, y: number, radius: number | string, fill: string) =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}"/>`

/** An 11 x 11 figure mirrored four ways, in a half-drop repeat. */
const crossStitch: Motif = (random, ink, accent) => {
  let inked = ''
  let accented = ''
  const fourWays = (u: number, v: number) =>
    block(5 - u, 5 - v) + block(5 + u, 5 - v) + block(5 - u, 5 + v) + block(5 + u, 5 + v)
  for (let y = 0; y < 6; y++) {
    for (let x = y; x < 6; x++) {
      if (x + y < 3 || random() > 0.56) continue
      const figure = fourWays(5 - x, 5 - y) + fourWays(5 - y, 5 - x)
      if (random() > 0.7) accented += figure
      else inked += figure
    }
  }
  const at = (x: number, y: number) =>
    `<g transform="translate(${x} ${y})">${filled(inked, ink)}${filled(accented, accent)}</g>`
  return [48, 24, `<g transform="scale(2)">${at(0.5, 0.5)}${at(12.5, -5.5)}${at(12.5, 6.5)}</g>`]
}

const scales: Motif = (random, ink, accent, ground) => {
  const eye = (7 + random() * 4).toFixed(1)
  const fill = random() > 0.5 ? accent : ground
  const scale = (x: number, y: number) =>
    `<circle cx="${x}" cy="${y}" r="16" fill="${ink}" stroke="${ground}" stroke-width="2.5"/>${dot(x, y, eye, fill)}`
  // Upper rows come first, so that lower ones overlap them.
  return [
    32,
    32,
    scale(16, -16) +
      scale(32, 0) +
      scale(0, 0) +
      scale(16, 16) +
      scale(32, 32) +
      scale(0, 32) +
      scale(16, 48),
  ]
}

/** Four lenses around a point. */
const leaves: Motif = (_random, ink, accent) => {
  const leaf = (turn: number) =>
    `<path d="M0 0C2 -9 8 -14 14 -14C14 -8 9 -2 0 0z" fill="${ink}" transform="translate(16 16) rotate(${turn})"/>`
  const corner = (x: number, y: number) => dot(x, y, 3.5, accent)
  return [
    32,
    32,
    [0, 90, 180, 270].map(leaf).join('') +
      corner(0, 0) +
      corner(32, 0) +
      corner(0, 32) +
      corner(32, 32),
  ]
}

/** Stripes of uneven width. */
const ticking: Motif = (random, ink, accent) => {
  let x = 0
  let marks = ''
  while (x < 60) {
    const width = pick(random, [1.5, 1.5, 3, 8, 12])
    marks += filled(block(x, 0, width, 8), random() > 0.7 ? accent : ink)
    x += width + pick(random, [3, 3, 6, 10])
  }
  return [x, 8, marks]
}

/** Stepped lozenges, as in a woven rug. */
const lozenges: Motif = (random, ink, accent, ground) => {
  const lozenge = (reach: number, fill: string) => {
    let path = ''
    for (let row = -reach; row <= reach; row++) {
      const half = reach - Math.abs(row)
      path += block(8 - half - 0.5, 8 + row - 0.5, 2 * half + 1, 1.02)
    }
    return filled(path, fill)
  }
  const reaches = pick(random, [
    [7, 5, 3, 1],
    [7, 6, 3, 2],
    [7, 4, 2, 0],
  ])
  const marks = reaches
    .map((reach, ring) => lozenge(reach, [ink, ground, accent, ground][ring] ?? ground))
    .join('')
  return [
    48,
    48,
    `<g transform="scale(3)">${marks}${filled(block(0, 0) + block(15, 0) + block(0, 15) + block(15, 15), accent)}</g>`,
  ]
}

/** Randomly rotated half-square triangles, mirrored. */
const quilt: Motif = (random, ink, accent) => {
  const turns = [
    [0, 'h12l-12 12z'],
    [0, 'h12v12z'],
    [12, 'h12v-12z'],
    [0, 'v12h12z'],
  ] as const
  let marks = ''
  for (let y = 0; y < 3; y++) {
    for (let x = 0; x < 3; x++) {
      const [down, path] = pick(random, turns)
      const fill = random() > 0.72 ? accent : ink
      const triangle = filled(`M${x * 12} ${y * 12 + down}${path}`, fill)
      const mirrored = ['-1 0 0 1 72 0', '1 0 0 -1 0 72', '-1 0 0 -1 72 72']
      marks +=
        triangle +
        mirrored.map((matrix) => `<g transform="matrix(${matrix})">${triangle}</g>`).join('')
    }
  }
  return [72, 72, marks]
}

const herringbone: Motif = (random, ink, accent) => {
  const width = pick(random, [2, 3.5, 5])
  const row = (y: number, index: number) =>
    drawn(`M0 ${y + 10}L10 ${y}L20 ${y + 10}L30 ${y}L40 ${y + 10}`, index % 2 ? accent : ink, width)
  return [40, 20, [-20, -10, 0, 10, 20].map(row).join('')]
}

/** Ring, dot, ring, in a half-drop repeat. */
const blockPrint: Motif = (random, ink, accent) => {
  const radius = 8 + random() * 4
  const width = 2 + random() * 3
  const ring = `<circle cx="18" cy="18" r="${radius}" fill="none" stroke="${ink}" stroke-width="${width}"/>`
  const cross = (x: number, y: number) => drawn(`M${x - 3} ${y}h6M${x} ${y - 3}v6`, ink, 1.6)
  return [
    36,
    36,
    ring +
      dot(18, 18, radius / 2.6, accent) +
      cross(0, 0) +
      cross(36, 0) +
      cross(0, 36) +
      cross(36, 36),
  ]
}

/** Looks like combed paste paper. */
const waves: Motif = (random, ink, accent) => {
  const height = 4 + random() * 5
  const wave = (y: number, index: number) =>
    drawn(`M0 ${y}q12 ${-height} 24 0t24 0`, index % 4 === 1 ? accent : ink, index % 2 ? 1.4 : 3)
  return [48, 24, [-4, 2, 8, 14, 20, 26].map(wave).join('')]
}

/** Randomly rotated quarter arcs. */
const paths: Motif = (random, ink, accent) => {
  let marks = ''
  for (let y = 0; y < 72; y += 18) {
    for (let x = 0; x < 72; x += 18) {
      const [sweep, side] = random() > 0.5 ? [1, -1] : [0, 1]
      const arc = (from: number, step: string, down: number) =>
        `M${x + 9} ${y + from}v${step}a9 9 0 0 ${sweep} ${9 * side * down} ${9 * down}h${side * down < 0 ? '-.5' : '.5'}`
      marks += drawn(arc(-0.5, '.5', 1) + arc(18.5, '-.5', -1), ink, 5)
      if (random() > 0.78) marks += dot(x + 9, y + 9, 2, accent)
    }
  }
  return [72, 72, marks]
}

/** Pairs of grains on a stalk. */
const wheat: Motif = (_random, ink, accent) => {
  const grain = (x: number, y: number) =>
    `M${x} ${y + 11}c-8-1-10-6-9-11c5 1 9 4 9 11c0-7 4-10 9-11c1 5-1 10-9 11z`
  const ear = (x: number) =>
    [0, 12, 24, 36].map((y) => filled(grain(x, y), y % 24 ? ink : accent)).join('') +
    filled(block(x - 0.7, 0, 1.4, 48), ink)
  return [48, 48, `${ear(12)}<g transform="matrix(1 0 0 -1 0 48)">${ear(36)}</g>`]
}

const stars: Motif = (_random, ink, accent) => {
  const star = (x: number, y: number, fill: string, size: number) => {
    const [far, near] = [12 * size, 3.4 * size]
    const right = `M${x} ${y - far}L${x + near} ${y - near}L${x + far} ${y}L${x + near} ${y + near}`
    return filled(
      `${right}L${x} ${y + far}L${x - near} ${y + near}L${x - far} ${y}L${x - near} ${y - near}z`,
      fill,
    )
  }
  const corner = (x: number, y: number) => star(x, y, accent, 0.62)
  return [
    32,
    32,
    star(16, 16, ink, 1.15) + corner(0, 0) + corner(32, 0) + corner(0, 32) + corner(32, 32),
  ]
}

export const motifs: readonly Motif[] = [
  crossStitch,
  scales,
  leaves,
  ticking,
  lozenges,
  quilt,
  herringbone,
  blockPrint,
  waves,
  paths,
  wheat,
  stars,
]
