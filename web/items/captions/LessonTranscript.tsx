import { lazy, Suspense } from 'react'
import type { OpenLesson } from '#contract/lessons.ts'
import { useHydrated } from '#web/core/hydrated.ts'
import { useText } from '#web/core/i18n.tsx'
import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { useSession } from '#web/core/session.ts'

const Transcript = lazy(async () => {
  const module = await import('#web/items/captions/Transcript.tsx')
  return { default: module.Transcript }
})

/** What is said in the video, for signed-in viewers of an open lesson, or a link to add or offer captions. */
export function LessonTranscript({ lesson }: { readonly lesson: OpenLesson }) {
  const { t } = useText()
  const session = useSession()
  const hydrated = useHydrated()
  if (session === null) return null
  if (lesson.inside.captions.length === 0) {
    const { edit, rate } = lesson.can
    if (!edit && !rate) return null
    return (
      <p className="small">
        <Link to={to.captions(lesson.id)}>{t(edit ? 'captionsAdd' : 'captionsOffer')}</Link>
      </p>
    )
  }
  if (!hydrated) return null
  return (
    <Suspense fallback={null}>
      <Transcript key={lesson.id} lesson={lesson} />
    </Suspense>
  )
}
