import { note, ok, type Finding } from '#server/operate/doctor/finding.ts'
import { checksVideos } from '#server/items/lessons/video/oembed.ts'
import type { Config } from '#server/kernel/config.ts'

/** Says whether lessons whose video is gone are found. */
export function examineVideos(config: Pick<Config, 'VIDEO_CHECK_URL' | 'PUBLIC_URL'>): Finding {
  const part = 'VIDEO_CHECK_URL'
  if (checksVideos(config)) return ok(part, 'the videos of lessons are checked every week')
  return note(
    part,
    config.VIDEO_CHECK_URL === ''
      ? 'It is empty, so nobody notices when the video of a lesson is gone. Remove it to ask YouTube.'
      : 'Without PUBLIC_URL nobody is asked whether the videos of lessons are still there.',
  )
}
