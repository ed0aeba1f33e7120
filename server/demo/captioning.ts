import { captionOffer, captions } from '#server/demo/content/captions.ts'
import { of } from '#server/demo/learning.ts'
import { lessons } from '#server/demo/timeline.ts'
import { storeCaptions } from '#server/items/captions/captions.ts'
import { offerCaptions } from '#server/items/captions/offers.ts'
import type { Viewer } from '#server/kernel/call.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { Db } from '#server/platform/db/connect.ts'

/** Seconds for which a line is shown, if the next one doesn't begin before. */
const SHOWN = 6

type Line = readonly [from: number, text: string]

/** Adds the captions of ten lessons, as their authors, and an offer. Idempotent. */
export async function captionLessons(
  needs: { readonly db: Db; readonly clock: Clock },
  viewers: ReadonlyMap<string, Viewer>,
  ids: ReadonlyMap<string, number>,
): Promise<void> {
  for (const { lesson, lines } of captions) {
    const owner = lessons.find(({ title }) => title === lesson)?.owner ?? ''
    const lessonId = of(ids, lesson)
    for (const [place, language] of (['en', 'bg'] as const).entries()) {
      const spoken = lines.map((line): Line => [line[0], place === 0 ? line[1] : line[2]])
      await storeCaptions(needs, of(viewers, owner), { lessonId, language, text: fileOf(spoken) })
    }
  }
  const { by, lesson, language, lines } = captionOffer
  const offer = { lessonId: of(ids, lesson), language, text: fileOf(lines) }
  await offerCaptions(needs, of(viewers, by), offer)
}

function fileOf(lines: readonly Line[]): string {
  const cues = lines.map(([from, text], place) => {
    const to = Math.min(from + SHOWN, lines[place + 1]?.[0] ?? Infinity)
    return `${stamp(from)} --> ${stamp(to)}\n${text}\n`
  })
  return ['WEBVTT\n', ...cues].join('\n')
}

const stamp = (seconds: number) =>
  new Date(seconds * 1000).toISOString().slice('1970-01-01T'.length, -1)
