import { useCallback, useId } from 'react'
import type { CourseChoice } from '#contract/courses.ts'
import { COURSE_LESSONS } from '#contract/limits.ts'
import { useText } from '#web/core/i18n.tsx'
import { Link } from '#web/core/router/Link.tsx'
import { to } from '#web/core/paths.ts'
import { LessonChoices } from '#web/items/courses/form/LessonChoices.tsx'
import { moveItem } from '#web/items/courses/form/lesson-order.ts'
import { LessonOrder } from '#web/items/courses/form/LessonOrder.tsx'
import { Field } from '#web/ui/inputs/Field.tsx'
import styles from '#web/ui/inputs/Field.module.css'

interface LessonsFieldProps {
  readonly choices: readonly CourseChoice[]
  /** Ids, in order. */
  readonly value: readonly number[]
  readonly error: string | undefined
  /** True when an administrator edits somebody else's course. */
  readonly isAdminEdit: boolean
  /** Gets a function rather than a value, because two changes may come before a render. */
  readonly onChange: (change: (value: readonly number[]) => number[]) => void
  readonly onBlur: () => void
}

export function LessonsField(props: LessonsFieldProps) {
  const { choices, value, error, isAdminEdit, onChange, onBlur } = props
  const { t } = useText()
  const id = useId()
  const byId = new Map(choices.map((choice) => [choice.id, choice]))
  const chosen = value.map((lesson) => byId.get(lesson)).filter((lesson) => lesson !== undefined)
  const { min } = COURSE_LESSONS
  const toggle = useCallback(
    (lesson: number, isIn: boolean) =>
      onChange((ids) => [...ids.filter((other) => other !== lesson), ...(isIn ? [lesson] : [])]),
    [onChange],
  )
  if (choices.length === 0) return <NoChoices isAdminEdit={isAdminEdit} />
  return (
    <>
      <Field
        group
        name="lessons"
        label={t('lessons')}
        help={t(isAdminEdit ? 'courseLessonsHelpOwner' : 'courseLessonsHelp', { min })}
        error={error}
        count={t('courseChosen', { count: value.length, min })}
        over={value.length > COURSE_LESSONS.max}
      >
        {(wiring) => (
          <div
            role="group"
            aria-labelledby={wiring['aria-labelledby']}
            aria-describedby={wiring['aria-describedby']}
          >
            <LessonChoices choices={choices} chosen={value} onToggle={toggle} onBlur={onBlur} />
          </div>
        )}
      </Field>
      <div data-field="lessons" className={styles.field}>
        <span className={styles.lab} id={`${id}-order`}>
          {t('courseOrder')}
        </span>
        {chosen.length === 0 && <p className="quiet">{t('courseOrderEmpty')}</p>}
        <div>
          <LessonOrder
            lessons={chosen}
            labelledBy={`${id}-order`}
            helpId={`${id}-help`}
            onMove={(from, to) => onChange((ids) => moveItem(ids, from, to))}
            onRemove={(lesson) => toggle(lesson, false)}
          />
        </div>
        <p className={styles.help} id={`${id}-help`}>
          {t('courseOrderHelp')}
        </p>
      </div>
    </>
  )
}

function NoChoices({ isAdminEdit }: { readonly isAdminEdit: boolean }) {
  const { t } = useText()
  return (
    <Field group name="lessons" label={t('lessons')}>
      {() => (
        <p>
          {isAdminEdit ? (
            t('courseNoLessonsOwner')
          ) : (
            <>
              {t('courseTooFewOwn', { count: 0, min: COURSE_LESSONS.min })}{' '}
              <Link to={to.createLesson()}>{t('createLesson')}</Link>
            </>
          )}
        </p>
      )}
    </Field>
  )
}
