/** QR codes: which modules are dark, as a path to draw and as a picture to save. */
import { encode } from 'uqr'

/** Modules of white round the code, without which readers don't find it. */
const QUIET = 4
/** Pixels of a module in the saved picture. */
const SCALE = 16

export interface Qr {
  /** Modules a side, the quiet zone included. */
  readonly size: number
  /** One unit a module. */
  readonly path: string
}

/** Draws an address so that a quarter of it may be smudged. */
export function drawQr(address: string): Qr {
  const { size, data } = encode(address, { ecc: 'M', border: QUIET })
  const runs = data.flatMap((row, y) =>
    runsOf(row).map(([x, width]) => `M${x} ${y}h${width}v1h-${width}z`),
  )
  return { size, path: runs.join('') }
}

/** Neighbouring dark modules as one: start and length. */
function runsOf(row: readonly boolean[]): [number, number][] {
  const runs: [number, number][] = []
  for (const [x, isDark] of row.entries()) {
    const last = runs.at(-1)
    if (!isDark) continue
    if (last !== undefined && last[0] + last[1] === x) last[1] += 1
    else runs.push([x, 1])
  }
  return runs
}

/** The code as a PNG, black on white in either theme. Null where the browser draws none. */
export function qrPicture({ size, path }: Qr): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  canvas.width = size * SCALE
  canvas.height = size * SCALE
  const pen = canvas.getContext('2d')
  if (pen === null) return Promise.resolve(null)
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.scale(SCALE, SCALE)
  pen.fillStyle = '#000'
  pen.fill(new Path2D(path))
  return new Promise((resolve) => {
    canvas.toBlob(resolve, 'image/png')
  })
}
