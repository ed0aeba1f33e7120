/** Contrast of an accent colour with everything that it is shown on (WCAG 2.2, 1.4.3). */

export type Scheme = 'light' | 'dark'

/** The least ratio for text. */
const READABLE = 4.5

/**
 * The colours of web/ui/styles/tokens.css below links and behind the text of buttons, which a test compares. The
 * wash below chosen entries is `WASH` percent of the accent on `ground`.
 */
export const BACKGROUNDS = {
  light: { ground: '#f5f5ef', surface: '#ffffff', hover: '#ebece4', text: '#ffffff' },
  dark: { ground: '#111814', surface: '#19221d', hover: '#222d27', text: '#06231a' },
} as const satisfies Record<Scheme, Readonly<Record<string, string>>>
export const WASH = 12

type Rgb = readonly [red: number, green: number, blue: number]

/** Reads `#rrggbb`. */
function channels(colour: string): Rgb {
  const number = Number.parseInt(colour.slice(1), 16)
  return [(number >> 16) & 255, (number >> 8) & 255, number & 255]
}

function luminance(rgb: Rgb): number {
  const [red, green, blue] = rgb.map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as unknown as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: Rgb, other: Rgb): number {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** Mixes in sRGB, as `color-mix` of the style sheet does. */
function mix(over: Rgb, below: Rgb, percent: number): Rgb {
  const share = percent / 100
  return over.map(
    (channel, place) => channel * share + (below[place] ?? 0) * (1 - share),
  ) as unknown as Rgb
}

/** Returns true if the accent has enough contrast on every background of the scheme. */
export function readableOn(scheme: Scheme, colour: string): boolean {
  const accent = channels(colour)
  const below = Object.values(BACKGROUNDS[scheme]).map(channels)
  const wash = mix(accent, channels(BACKGROUNDS[scheme].ground), WASH)
  return [...below, wash].every((each) => contrast(accent, each) >= READABLE)
}
