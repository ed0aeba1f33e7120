import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Cue } from '#contract/captions.ts'
import { parseCaptions } from '#server/items/captions/parsing.ts'

/** Returns the cues, or the problem as `key:line`. */
function read(file: string): readonly Cue[] | string {
  const { cues, problem } = parseCaptions(file)
  return cues ?? `${problem.key}:${problem.values['line']}`
}

const CUE = '00:01.000 --> 00:02.000\nHello'
const cue = (from: number, to: number, text: string) => ({ from, to, text })

describe('files with mistakes are refused at their line', () => {
  test.each<[what: string, file: string, problem: string]>([
    ['empty', '', 'captionsEmpty:1'],
    ['a header alone', 'WEBVTT\n\n', 'captionsEmpty:1'],
    ['only comments', 'WEBVTT\n\nNOTE nothing\nelse', 'captionsEmpty:1'],
    ['prose', 'Dear reader,\nthis is a letter', 'captionsNoTime:1'],
    ['a number without a time', `1\n${CUE}\n\n2\n`, 'captionsNoTime:5'],
    ['a negative time', '1\n-00:00:01,000 --> 00:00:02,000\nx', 'captionsWrongTime:2'],
    ['an endless time', `${'9'.repeat(5000)}:00:00.000 --> 00:02.000\nx`, 'captionsWrongTime:1'],
    ['61 seconds', '00:61.000 --> 01:02.000\nx', 'captionsWrongTime:1'],
    ['no milliseconds', '00:01 --> 00:02\nx', 'captionsWrongTime:1'],
    ['digits of another script', '٠٠:٠١.٠٠٠ --> 00:02.000\nx', 'captionsWrongTime:1'],
    ['an end before the beginning', '00:02.000 --> 00:01.000\nx', 'captionsEndEarly:1'],
    ['an end at the beginning', '00:02.000 --> 00:02.000\nx', 'captionsEndEarly:1'],
    ['a time after a day', '24:00:00.000 --> 24:00:01.000\nx', 'captionsLate:1'],
    ['no gap between two', `${CUE}\n00:03.000 --> 00:04.000\nx`, 'captionsNoGap:3'],
    ['a long line', `\n\n00:01.000 --> 00:02.000\n${'x'.repeat(501)}`, 'captionsLongLine:4'],
    ['unreadable bytes', `${CUE}\n\n00:03.000 --> 00:04.000\nC\ufffdf`, 'captionsUnreadable:5'],
    ['UTF-16 as bytes', 'W\0E\0B\0V\0T\0T\0', 'captionsUnreadable:1'],
    ['a cue too many', `${CUE}\n\n`.repeat(10_001), 'captionsTooMany:30001'],
  ])('%s', (_, file, problem) => {
    expect(read(file)).toBe(problem)
  })
})

describe('WebVTT', () => {
  test('header, comments, styles, names and settings are left out', () => {
    const file =
      '\ufeffWEBVTT - A film\r\nKind: captions\r\n\r\nSTYLE\r\n::cue { color: red }\r\n\r\nNOTE\r\nnot heard\r\n\r\n' +
      'opening\r\n01:00:00.500 --> 01:00:02.000 align:start position:0%\r\n<v Ann><i>Good</i> morning,\r\n<00:01.500>you'
    expect(read(file)).toEqual([cue(3600.5, 3602, 'Good morning, you')])
  })
  test('entities become characters after markup is removed, so that they make no markup', () => {
    const spoken = '5 &lt; 6 &amp;&amp; 7 &gt; 2 &lt;script&gt;&nbsp;&bogus;'
    expect(read(`WEBVTT\n\n00:01.000 --> 00:02.000\n${spoken}`)).toEqual([
      cue(1, 2, '5 < 6 && 7 > 2 <script> &bogus;'),
    ])
  })
})

describe('SubRip', () => {
  test('numbers, tags and positions are left out', () => {
    const file =
      '1\n00:00:01,000 --> 00:00:02,000\n<font color="#fff">{\\an8}Здравей</font>,\nсвят\n\n\n' +
      '2\n00:00:03,000 --> 00:00:04,000 X1:10 X2:20\n- Да.\n'
    expect(read(file)).toEqual([cue(1, 2, 'Здравей, свят'), cue(3, 4, '- Да.')])
  })
  test('overlapping captions stay, in order of their beginnings, and empty ones are left out', () => {
    const file =
      '1\n00:00:05,000 --> 00:00:09,000\nlate\n\n2\n00:00:01,000 --> 00:00:08,000\nearly\n\n' +
      '3\n00:00:02,000 --> 00:00:03,000\n\n4\n00:00:01,000 --> 00:00:02,000\nbeside\n'
    expect(read(file)).toEqual([cue(1, 8, 'early'), cue(1, 2, 'beside'), cue(5, 9, 'late')])
  })
  test('control characters and direction overrides are removed', () => {
    expect(read('00:01.000 --> 00:02.000\na\u202eb\u0007c')).toEqual([cue(1, 2, 'abc')])
  })
})

const twoDigits = (value: number, digits = 2) => String(value).padStart(digits, '0')
const stamp = (ms: number, sign: string) => {
  const seconds = Math.floor(ms / 1000)
  const parts = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map((part) =>
    twoDigits(Math.floor(part)),
  )
  return `${parts.join(':')}${sign}${twoDigits(ms % 1000, 3)}`
}

test('what was written is read, in both formats', () => {
  const spoken = fc
    .array(fc.stringMatching(/^[a-zA-Zа-яё0-9,.!?'-]{1,12}$/u), { minLength: 1, maxLength: 8 })
    .map((words) => words.join(' '))
    .filter((text) => !text.includes('-->') && text === text.normalize('NFC'))
  const written = fc.array(
    fc.record({
      from: fc.integer({ min: 0, max: 86_000_000 }),
      long: fc.integer({ min: 1, max: 9000 }),
      text: spoken,
    }),
    { minLength: 1, maxLength: 20 },
  )
  fc.assert(
    fc.property(written, fc.boolean(), fc.constantFrom('\n', '\r\n', '\r'), (all, isVtt, end) => {
      const cues = all
        .toSorted((one, other) => one.from - other.from)
        .map(({ from, long, text }) => cue(from / 1000, (from + long) / 1000, text))
      const sign = isVtt ? '.' : ','
      const blocks = cues.map(
        ({ from, to, text }, place) =>
          `${place + 1}${end}${stamp(Math.round(from * 1000), sign)} --> ${stamp(Math.round(to * 1000), sign)}${end}${text}`,
      )
      expect(read([...(isVtt ? ['WEBVTT'] : []), ...blocks].join(end + end))).toEqual(cues)
    }),
    { numRuns: 200 },
  )
})

test('any text is read or refused with a line, and what is read has no control characters', () => {
  const pieces = fc.constantFrom(
    'WEBVTT', '\n', '\n\n', '\r', '00:01.000', ' --> ', '00:02.000', '-->', '<b>', '<', '>', '{\\an8}', '&lt;',
    '\0', '\ufffd', '\u202e', 'word', 'NOTE', '1', ':', '9'.repeat(40),
  ) // prettier-ignore
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, fc.string({ unit: 'binary' }))), (parts) => {
      const { cues, problem } = parseCaptions(parts.join(''))
      if (cues === null) expect(problem.values['line']).toBeGreaterThan(0)
      else
        for (const { from, to, text } of cues) {
          expect(to).toBeGreaterThan(from)
          // oxlint-disable-next-line no-control-regex -- that is what must not be in it
          expect(text).not.toMatch(/[\u0000-\u001f\u202e]/)
        }
    }),
    { numRuns: 300 },
  )
})

test.each<[what: string, file: string]>([
  ['tags that never end', `${CUE}${'<a '.repeat(300_000)}`],
  ['braces that never end', `${CUE}${'{\\'.repeat(450_000)}`],
  ['ampersands', `${CUE}${'&amp'.repeat(240_000)}`],
  ['spaces before a time', `${' '.repeat(900_000)}00:01.000 -->`],
  ['digits', '1'.repeat(1_000_000)],
  ['line ends', '\r\n'.repeat(500_000)],
  ['arrows', '-->'.repeat(330_000)],
])('a megabyte of %s takes linear time', (_, file) => {
  const begun = performance.now()
  parseCaptions(file)
  // A quadratic parser would take minutes.
  expect(performance.now() - begun).toBeLessThan(3000)
})
