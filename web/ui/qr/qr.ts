import { encode } from 'uqr'

/** Width of the white border in modules, without which scanners don't find the code. */
const QUIET = 4
/** Pixels per module in the saved picture. */
const SCALE = 16

export interface Qr {
  /** Modules per side, including the white border. */
  readonly size: number
  /** An SVG path in which a module is one unit wide. */
  readonly path: string
}

/** Draws the code with error correction level M, which restores 15 percent of its data. */
export function drawQr(address: string): Qr {
  const { size, data } = encode(address, { ecc: 'M', border: QUIET })
  const runs = data.flatMap((row, y) =>
    runsOf(row).map(([x, width]) => `M${x} ${y}h${width}v1h-${width}z`),
  )
  return { size, path: runs.join('') }
}

/** Returns runs of dark modules as start and length. */
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

/** Draws the code as a PNG, black on white in both themes. Returns null if the browser can't. */
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
