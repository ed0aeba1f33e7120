/** Declares the used part of subset-font, which has no types. */
declare module 'subset-font' {
  interface Options {
    targetFormat: 'truetype' | 'woff2'
    keepAllGlyphs?: boolean
  }
  function subsetFont(
    font: Uint8Array,
    text: string | undefined,
    options: Options,
  ): Promise<Uint8Array>
  export default subsetFont
}
