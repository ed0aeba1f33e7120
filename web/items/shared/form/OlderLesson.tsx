import type { RewardCheck } from '#contract/points.ts'
import { Rich } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'

/** Links to the lesson that a draft repeats. */
export function OlderLesson({ older }: Pick<RewardCheck, 'older'>) {
  if (older === undefined) return null
  const { id, title } = older
  return (
    <p>
      <Rich
        id="withheldOlder"
        values={{ title }}
        components={{ item: <Link to={to.lesson(id)} dir="auto" /> }}
      />
    </p>
  )
}
