/**
 * Parses WebVTT and SubRip files into plain text, in time linear in their length. Strict: a file with a mistake is
 * refused with the number of the line, because authors can correct a line, but not find lines that were left out.
 */
import type { Cue } from '#contract/captions.ts'
import { CAPTION_CUES, CAPTION_LINE } from '#contract/caption-limits.ts'
import { VIDEO_SECONDS } from '#contract/limits.ts'
import { lengthOf, normalizeLine } from '#contract/measure.ts'
import type { MessageValues } from '#contract/message.ts'
import type { MessageKey } from '#contract/messages/messages.ts'

export interface CaptionProblem {
  readonly key: MessageKey
  readonly values: MessageValues
}

export type ParsedCaptions =
  | { readonly cues: readonly Cue[]; readonly problem: null }
  | { readonly cues: null; readonly problem: CaptionProblem }

const ARROW = '-->'
const TIME = String.raw`(?:(\d{1,3}):)?(\d\d):(\d\d)[.,](\d{3})`
const TIMES = new RegExp(`^[ \\t]*${TIME}[ \\t]*-->[ \\t]*${TIME}(?:[ \\t].*)?$`)
/** Blocks of WebVTT that nobody reads or hears. */
const ASIDE = /^(?:NOTE|STYLE|REGION)(?:[ \t]|$)/
/** Tags of both formats, times within a cue, and positions such as `{\an8}`. */
const MARKUP = /<\/?[a-z][^<>]*>|<\d[\d:.]*>|\{\\[^{}]*\}/gi
const ENTITY = /&(amp|lt|gt|quot|nbsp|lrm|rlm);/g
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }
/** What decoders put in the place of bytes that they can't read, and the bytes between letters of UTF-16. */
const UNREADABLE = /[\ufffd\0]/

class Mistake extends Error {
  readonly problem: CaptionProblem

  constructor(key: MessageKey, line: number, values: MessageValues = {}) {
    super(key)
    this.problem = { key, values: { line, ...values } }
  }
}

export function parseCaptions(file: string): ParsedCaptions {
  try {
    return { cues: readCues(file.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)), problem: null }
  } catch (error) {
    if (error instanceof Mistake) return { cues: null, problem: error.problem }
    throw error
  }
}

function readCues(lines: readonly string[]): Cue[] {
  const unreadable = lines.findIndex((line) => UNREADABLE.test(line))
  if (unreadable !== -1) throw new Mistake('captionsUnreadable', unreadable + 1)
  const isBlank = (place: number) => (lines[place] ?? '').trim() === ''
  const endOf = (place: number) => {
    let end = place
    while (end < lines.length && !isBlank(end)) end += 1
    return end
  }
  const isWebVtt = /^WEBVTT(?:[ \t]|$)/.test(lines[0] ?? '')
  const cues: Cue[] = []
  let place = isWebVtt ? endOf(0) : 0
  while (place < lines.length) {
    const end = endOf(place)
    if (end > place && !(isWebVtt && ASIDE.test(lines[place] ?? ''))) {
      const cue = readBlock(lines, place, end)
      if (cue !== null) cues.push(cue)
      if (cues.length > CAPTION_CUES)
        throw new Mistake('captionsTooMany', place + 1, { max: CAPTION_CUES })
    }
    place = end + 1
  }
  if (cues.length === 0) throw new Mistake('captionsEmpty', 1)
  return cues.toSorted((one, other) => one.from - other.from)
}

/** Reads the lines from `start` until `end`. Returns null if nothing is said. */
function readBlock(lines: readonly string[], start: number, end: number): Cue | null {
  // A number or a name may stand above the times.
  const at = lines[start]?.includes(ARROW) === true ? start : start + 1
  const times = lines[at] ?? ''
  if (at >= end || !times.includes(ARROW)) throw new Mistake('captionsNoTime', start + 1)
  const found = TIMES.exec(times)
  if (found === null) throw new Mistake('captionsWrongTime', at + 1)
  const from = toSeconds(found.slice(1, 5), at)
  const to = toSeconds(found.slice(5, 9), at)
  if (to <= from) throw new Mistake('captionsEndEarly', at + 1)
  const spoken = lines.slice(at + 1, end)
  const second = spoken.findIndex((line) => line.includes(ARROW))
  if (second !== -1) throw new Mistake('captionsNoGap', at + second + 2)
  const text = toPlain(spoken.join(' '))
  if (lengthOf(text) > CAPTION_LINE)
    throw new Mistake('captionsLongLine', at + 2, { max: CAPTION_LINE })
  return text === '' ? null : { from, to, text }
}

function toSeconds([hours, minutes, seconds, ms]: readonly (string | undefined)[], at: number) {
  if (Number(minutes) > 59 || Number(seconds) > 59) throw new Mistake('captionsWrongTime', at + 1)
  const whole = Number(hours ?? 0) * 3600 + Number(minutes) * 60 + Number(seconds)
  if (whole >= VIDEO_SECONDS) throw new Mistake('captionsLate', at + 1)
  return (whole * 1000 + Number(ms)) / 1000
}

/** Removes markup and replaces entities, which may stand for a `<` that is no markup. */
function toPlain(spoken: string): string {
  const text = spoken
    .replaceAll(MARKUP, '')
    .replaceAll(ENTITY, (_, name: string) => ENTITIES[name] ?? ' ')
  return normalizeLine(text).replaceAll(/\s+/gu, ' ')
}
