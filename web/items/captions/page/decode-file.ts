import type { CaptionLanguage } from '#contract/items.ts'

/** The code pages that editors on Windows used for these languages. For others it was that of Western Europe. */
const LEGACY: Readonly<Partial<Record<CaptionLanguage, string | null>>> = {
  ar: 'windows-1256',
  bg: 'windows-1251',
  cs: 'windows-1250',
  el: 'windows-1253',
  hr: 'windows-1250',
  hu: 'windows-1250',
  mk: 'windows-1251',
  pl: 'windows-1250',
  ro: 'windows-1250',
  ru: 'windows-1251',
  sq: 'windows-1250',
  sr: 'windows-1251',
  tr: 'windows-1254',
  uk: 'windows-1251',
  hi: null,
  ja: null,
  ko: null,
  zh: null,
}
/** Bytes that show whether every second one is zero. */
const PROBED = 400

/**
 * Reads a file as UTF-8 or UTF-16, with or without a byte order mark, or else in the language's old code page. Returns
 * null if it is none of them.
 */
export function decodeCaptions(bytes: Uint8Array, language: CaptionLanguage): string | null {
  const { [language]: legacy = 'windows-1252' } = LEGACY
  const encoding = unicodeOf(bytes) ?? legacy
  if (encoding === null) return null
  const text = new TextDecoder(encoding).decode(bytes)
  return /[\0\ufffd]/.test(text) ? null : text
}

function unicodeOf(bytes: Uint8Array): string | null {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  // Times and line ends are ASCII in every file of captions, so half of their bytes are zero in UTF-16.
  const probed = bytes.subarray(0, PROBED)
  const zeros = (remainder: number) =>
    probed.filter((byte, place) => byte === 0 && place % 2 === remainder).length
  if (zeros(1) > probed.length / 8) return 'utf-16le'
  if (zeros(0) > probed.length / 8) return 'utf-16be'
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return 'utf-8'
  } catch {
    return null
  }
}
