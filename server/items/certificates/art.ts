/** The link preview of a certificate. It contains no text, so that it identifies nobody. */
import { dyeOf, type Seed } from '#contract/dyes.ts'

const [WIDTH, HEIGHT] = [1200, 630]
const TEETH = 28
const PAPER = '#fffdf6'
/** The site's logo: awning, stripes, book. */
const MARK =
  '<path d="M6 3H10L8.2 10.5a2.6 2.6 0 0 1-5.2 0zM14 3H18L18.6 10.5a2.6 2.6 0 0 1-5.2 0zM22 3H26L29 10.5a2.6 2.6 0 0 1-5.2 0zM15.2 19.4C12.7 17.5 8.8 16.8 4.5 17.2v10.3c4.3-.4 8.2.3 10.7 2.2zM16.8 19.4c2.5-1.9 6.4-2.6 10.7-2.2v10.3c-4.3-.4-8.2.3-10.7 2.2z"/><path d="M10 3H14L13.4 10.5a2.6 2.6 0 0 1-5.2 0zM18 3H22L23.8 10.5a2.6 2.6 0 0 1-5.2 0z" opacity=".5"/>'

/** The waved edge of a seal. */
const EDGE = Array.from({ length: TEETH * 2 }, (_, place) => {
  const angle = (Math.PI * place) / TEETH
  const reach = place % 2 === 0 ? 100 : 92
  return `${(Math.sin(angle) * reach).toFixed(1)} ${(-Math.cos(angle) * reach).toFixed(1)}`
}).join('L')

/** A bar in place of a line of text. */
const line = (y: number, width: number, height: number, fill: string) =>
  `<rect x="${(WIDTH - width) / 2 + 30}" y="${y}" width="${width}" height="${height}" rx="${height / 2}" fill="${fill}"/>`

/** Returns SVG. The same seed, a course's id, must always give the same picture. */
export function certificateArt(seed: Seed): string {
  const [cloth, pale, print] = dyeOf(seed)
  const board = `<rect width="${WIDTH}" height="${HEIGHT}" fill="${cloth}"/><rect width="96" height="${HEIGHT}" fill="#000" opacity=".16"/><rect x="96" width="5" height="${HEIGHT}" fill="#fff" opacity=".24"/>`
  const sheet = `<rect x="128" y="34" width="1036" height="562" fill="${PAPER}"/><rect x="150" y="56" width="992" height="518" fill="none" stroke="${cloth}" stroke-width="6"/><rect x="161" y="67" width="970" height="496" fill="none" stroke="${cloth}" stroke-width="2"/>`
  const house = `<g transform="translate(593 92) scale(2.3)" fill="${cloth}">${MARK}</g>`
  const words = [
    line(196, 330, 12, '#16241d33'),
    line(236, 560, 34, '#161d19'),
    line(300, 260, 12, '#16241d33'),
    `<rect x="${WIDTH / 2 - 190}" y="334" width="440" height="70" fill="${cloth}"/><rect x="${WIDTH / 2 - 181}" y="343" width="422" height="52" fill="none" stroke="${PAPER}" stroke-width="1.5" opacity=".7"/>`,
    line(361, 300, 18, pale),
    line(430, 300, 12, '#16241d33'),
  ].join('')
  const lessons = Array.from({ length: 6 }, (_, place) => {
    const [x, y] = [430 + (place % 2) * 230, 470 + Math.floor(place / 2) * 28]
    return `<circle cx="${x}" cy="${y}" r="5" fill="${print}"/><rect x="${x + 16}" y="${y - 5}" width="${110 + ((place * 37) % 60)}" height="10" rx="5" fill="#16241d33"/>`
  }).join('')
  const seal = `<g transform="translate(290 430)"><g fill="#8f1f35"><path d="M-48 60-72 168-40 148-20 168 6 72z"/><path d="M48 60 72 168 40 148 20 168-6 72z"/></g><path d="M${EDGE}z" fill="#b3263f"/><circle r="79" fill="none" stroke="${PAPER}" stroke-width="3"/><circle r="72" fill="none" stroke="${PAPER}" stroke-width="1.5"/><g transform="translate(-51 -52) scale(3.2)" fill="${PAPER}">${MARK}</g></g>`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">${board}${sheet}${house}${words}${lessons}${seal}</svg>`
}
