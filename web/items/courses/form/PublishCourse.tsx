import { COURSE_LESSONS, COURSE_REWARD } from '#contract/limits.ts'
import type { FormState } from '#web/core/form/form.ts'
import { useText } from '#web/core/i18n.tsx'
import { useCourseReward } from '#web/items/courses/form/course-reward.ts'
import type { CourseValues } from '#web/items/courses/form/course-values.ts'
import { withheldKey } from '#web/items/shared/form/reward-check.ts'
import { PublishButton } from '#web/items/shared/form/SubmitButtons.tsx'

interface PublishCourseProps {
  readonly state: FormState<CourseValues>
  readonly own: number
}

/** Says what publishing earns, or what is still missing. */
export function PublishCourse({ state, own }: PublishCourseProps) {
  const { t, formatNumber } = useText()
  const chosen = state.form.watch('lessons')
  const check = useCourseReward(chosen, state.busy)
  const withheld = check === null ? null : withheldKey(check)
  const reward = formatNumber(COURSE_REWARD)
  const { min } = COURSE_LESSONS
  const known =
    check === null ? t('courseRewardUnknown', { min }) : t('courseRewardYes', { reward })
  const short = min - chosen.length
  const more = short > 0 ? t('courseChooseMore', { count: short }) : undefined
  const missing =
    state.missing === undefined ? (
      more
    ) : (
      <>
        {state.missing} {more}
      </>
    )
  return (
    <>
      {own >= min && (
        <div role="status">
          <p>{withheld === null ? known : t(withheld)}</p>
          {withheld === 'withheldLessonsDontCount' && (
            <p className="quiet">{t('courseRewardHow')}</p>
          )}
        </div>
      )}
      <PublishButton
        reward={check === null ? undefined : withheld === null ? reward : null}
        busy={state.busy}
        disabled={state.disabled || short > 0}
        reason={own < min ? t('minLessonsMsg', { min }) : undefined}
        missing={missing}
      />
    </>
  )
}
