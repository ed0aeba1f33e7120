/** Handles font tables that harfbuzz can't: which glyph represents a letter, and kerning. */
import * as hb from 'harfbuzzjs'

/** Returns a font that shows the given language's letterforms by default, without `locl` and the other forms. */
export function inLanguage(sfnt, language, script) {
  const face = new hb.Face(new hb.Blob(sfnt))
  const font = new hb.Font(face)
  const shape = (codePoint) => {
    const buffer = new hb.Buffer()
    buffer.addCodePoints([codePoint])
    buffer.setScript(script)
    buffer.setDirection(hb.Direction.LTR)
    buffer.setLanguage(language)
    hb.shape(font, buffer)
    const [glyph, ...more] = buffer.getGlyphInfos()
    if (more.length > 0) throw new Error(`U+${codePoint.toString(16)} takes several glyphs`)
    return glyph.codepoint
  }
  const glyphs = charactersOf(sfnt)
    .filter((codePoint) => codePoint < 0xff_ff)
    .map((codePoint) => [codePoint, shape(codePoint)])
  const tables = readTables(sfnt)
  tables.set('cmap', writeCharacterMap(glyphs))
  return writeTables(tables)
}

/** Returns the characters of a font in order. */
export const charactersOf = (sfnt) =>
  // Copied, because the underlying WebAssembly memory may move during iteration.
  [...new hb.Face(new hb.Blob(sfnt)).collectUnicodes()].toSorted((one, other) => one - other)

/**
 * Returns the variable font with the kerning of one weight, because the differences between weights are not
 * visible.
 */
export function withKerningOf(variable, oneWeight) {
  const tables = readTables(variable)
  const still = readTables(oneWeight)
  for (const tag of ['GPOS', 'GDEF']) {
    const table = still.get(tag)
    if (table === undefined) tables.delete(tag)
    else tables.set(tag, table)
  }
  return writeTables(tables)
}

/** Returns the bytes of each table by tag. */
function readTables(sfnt) {
  const count = sfnt.readUInt16BE(4)
  const records = Array.from({ length: count }, (_, place) => 12 + 16 * place)
  return new Map(
    records.map((at) => {
      const [offset, length] = [sfnt.readUInt32BE(at + 8), sfnt.readUInt32BE(at + 12)]
      return [sfnt.toString('latin1', at, at + 4), sfnt.subarray(offset, offset + length)]
    }),
  )
}

/** Builds a font from tables, with the directory and checksums of the format. */
function writeTables(tables) {
  const sorted = [...tables].toSorted(([one], [other]) => (one < other ? -1 : 1))
  const directory = Buffer.alloc(12 + 16 * sorted.length)
  directory.writeUInt32BE(0x00_01_00_00, 0)
  directory.writeUInt16BE(sorted.length, 4)
  const bodies = []
  let offset = directory.length
  for (const [place, [tag, table]] of sorted.entries()) {
    const padded = Buffer.alloc(Math.ceil(table.length / 4) * 4)
    table.copy(padded)
    let sum = 0
    for (let at = 0; at < padded.length; at += 4) sum = (sum + padded.readUInt32BE(at)) >>> 0
    const record = 12 + 16 * place
    directory.write(tag, record, 'latin1')
    directory.writeUInt32BE(sum, record + 4)
    directory.writeUInt32BE(offset, record + 8)
    directory.writeUInt32BE(table.length, record + 12)
    bodies.push(padded)
    offset += padded.length
  }
  return Buffer.concat([directory, ...bodies])
}

/** Builds a `cmap` with a single format 4 subtable and a segment for each character. */
function writeCharacterMap(glyphs) {
  const segments = glyphs
    .toSorted(([one], [other]) => one - other)
    .map(([codePoint, glyph]) => [codePoint, (glyph - codePoint) & 0xff_ff])
  segments.push([0xff_ff, 1])
  const count = segments.length
  const steps = Math.floor(Math.log2(count))
  // One table for Unicode and Windows, 12 bytes after the start.
  const one = [0, 1, 3, 1, 0, 12]
  const reach = 2 ** (steps + 1)
  const head = [4, 16 + 8 * count, 0, 2 * count, reach, steps, 2 * count - reach]
  const words = [
    ...one,
    ...head,
    ...segments.map(([last]) => last),
    0,
    ...segments.map(([first]) => first),
    ...segments.map(([, delta]) => delta),
    ...segments.map(() => 0),
  ]
  const bytes = Buffer.alloc(2 * words.length)
  for (const [place, word] of words.entries()) bytes.writeUInt16BE(word, 2 * place)
  return bytes
}
