import { clockTime } from '#contract/clock-time.ts'
import { useText } from '#web/core/i18n.tsx'
import type { Mark } from '#web/items/progress/marks.ts'
import { lessonStage } from '#web/items/progress/stages.ts'
import { StateWord } from '#web/ui/books/StateWord.tsx'
import { Meter } from '#web/ui/Meter.tsx'

export function LessonFar({ mark }: { readonly mark: Mark | undefined }) {
  const { t } = useText()
  if (lessonStage(mark) === 'done') return <StateWord icon="check">{t('courseDoneMark')}</StateWord>
  if (mark?.place === undefined) return null
  const { at, of } = mark.place
  return <StateWord>{t('coursePlace', { time: clockTime(at), length: clockTime(of) })}</StateWord>
}

/** The same with a bar, where there is more room. */
export function LessonFarWide({ mark }: { readonly mark: Mark | undefined }) {
  const { t } = useText()
  const stage = lessonStage(mark)
  if (stage === 'unread') return null
  if (stage === 'done') return <LessonFar mark={mark} />
  if (mark?.place === undefined) return <p>{t('stallBegun')}</p>
  const { at, of } = mark.place
  const words = t('stallAt', { at: clockTime(at), of: clockTime(of) })
  return <FarBar words={words} value={at} max={of} />
}

interface CourseFarWideProps {
  readonly done: number
  readonly total: number
}

export function CourseFarWide({ done, total }: CourseFarWideProps) {
  const { t } = useText()
  if (done === total) return <StateWord icon="check">{t('courseAllDone', { total })}</StateWord>
  return <FarBar words={t('stallDoneOf', { done, total })} value={done} max={total} />
}

interface FarBarProps {
  readonly words: string
  readonly value: number
  readonly max: number
}

function FarBar({ words, value, max }: FarBarProps) {
  return (
    <>
      <p>{words}</p>
      <Meter kind="meter" value={value} max={max} label={words} />
    </>
  )
}
