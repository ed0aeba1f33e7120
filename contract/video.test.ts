import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readVideo, toEmbedUrl, videoId } from '#contract/video.ts'

const id = fc.string({
  unit: fc.constantFrom(...'ABCXYZabcxyz0189_-'),
  minLength: 11,
  maxLength: 11,
})
const hosts = ['www.youtube.com', 'youtube.com', 'm.youtube.com', 'YouTube.com']
const forms: readonly ((host: string, video: string) => string)[] = [
  (host, video) => `https://${host}/watch?v=${video}`,
  (host, video) => `http://${host}/watch?list=PL1&v=${video}&t=10`,
  (host, video) => `${host}/watch?v=${video}#start`,
  (host, video) => `//${host}/embed/${video}?autoplay=1`,
  (host, video) => `https://${host}/v/${video}`,
  (host, video) => `https://${host}/u/1/${video}`,
  (host, video) => `https://${host}/shorts/${video}`,
  (host, video) => `https://${host}/live/${video}?feature=share`,
  (_, video) => `https://youtu.be/${video}`,
  (host, video) => `https://${host}/e/${video}?start=90`,
  (_, video) => `  youtu.be/${video}?t=5 `,
  (_, video) => `\u200b\thttps://youtu.be/${video}?si=x\n\ufeff`,
  (_, video) =>
    `<iframe width="560" height="315" src="https://www.youtube.com/embed/${video}?si=x&amp;start=9" title="A > b src=&quot;x&quot;" allowfullscreen></iframe>`,
  (_, video) =>
    `\n<IFRAME title='src="x"' SRC = '//www.youtube-nocookie.com/embed/${video}'></IFRAME>`,
  (host, video) => `<iframe data-src="https://x.example" src=https://${host}/embed/${video}>`,
]

const reserved = ['videoseries', 'live_stream']

describe('a video link', () => {
  test('with a reserved word as id is refused in every form', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...reserved),
        fc.constantFrom(...hosts),
        fc.constantFrom(...forms),
        (word, host, form) => {
          expect(videoId(form(host, word))).toBeNull()
        },
      ),
    )
  })

  test('is recognised in every form and normalised', () => {
    fc.assert(
      fc.property(id, fc.constantFrom(...hosts), fc.constantFrom(...forms), (video, host, form) => {
        const once = toEmbedUrl(form(host, video)) ?? ''
        expect([videoId(once), toEmbedUrl(once)]).toEqual([video, once])
      }),
    )
  })

  test('keeps a start time of less than a day', () => {
    fc.assert(
      fc.property(id, fc.nat({ max: 86_399 }), (video, start) => {
        const [hours, minutes] = [Math.floor(start / 3600), Math.floor((start % 3600) / 60)]
        for (const time of [`${start}`, `${start}s`, `${hours}h${minutes}m${start % 60}s`])
          for (const link of [
            `https://youtu.be/${video}?t=${time}`,
            `https://www.youtube.com/watch?t=${time}&v=${video}`,
            `https://www.youtube.com/watch?v=${video}#t=${time}`,
            `https://www.youtube.com/embed/${video}?si=x&start=${time}`,
          ])
            expect([link, readVideo(link)]).toEqual([link, { id: video, start }])
      }),
    )
    for (const time of ['', '-5', '1.5', '86400', '25h', '0x10', 'soon', '9'.repeat(30)])
      expect([time, readVideo(`https://youtu.be/dQw4w9WgXcQ?t=${time}`)?.start ?? null]).toEqual([
        time,
        null,
      ])
  })

  test.each([
    '',
    'dQw4w9WgXcQ',
    'https://www.youtube.com/watch?v=tooshort',
    'https://www.youtube.com/watch?v=twelve_chars',
    'https://www.youtube.com/watch',
    'https://www.youtube.com/',
    'https://youtu.be/',
    'https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ',
    'https://evil.example/watch?v=dQw4w9WgXcQ',
    'https://evil.example/?https://www.youtube.com/watch?v=dQw4w9WgXcQ',
    'https://user@www.youtube.com/watch?v=dQw4w9WgXcQ',
    'https://www.youtube.com@evil.example/watch?v=dQw4w9WgXcQ',
    'javascript:alert(1)//www.youtube.com/watch?v=dQw4w9WgXcQ',
    'https://vimeo.com/12345678901',
    'https://www.youtube.com/embed/videoseries?list=PL0123456789',
    'https://www.youtube.com/embed/live_stream?channel=UC0123456789',
    'https://www.youtube.com/playlist?list=PL0123456789',
    '<iframe></iframe>',
    '<iframe src="https://evil.example/embed/dQw4w9WgXcQ"></iframe>',
    '<iframe title="x" data-src="https://www.youtube.com/embed/dQw4w9WgXcQ"></iframe>',
    '<iframe src="javascript:alert(1)//www.youtube.com/embed/dQw4w9WgXcQ"></iframe>',
    '<p><iframe src="https://www.youtube.com/embed/dQw4w9WgXcQ"></iframe></p>',
  ])('is refused: %s', (link) => {
    expect(videoId(link)).toBeNull()
  })

  test('can be any text: the id is complete or null, and nothing throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (text) => {
        expect(videoId(text) ?? 'AAAAAAAAAAA').toMatch(/^[\w-]{11}$/)
      }),
    )
  })
})
