import { memo, useId, useState } from 'react'
import type { CourseChoice } from '#contract/courses.ts'
import { foldTerm } from '#contract/fold.ts'
import { useText } from '#web/core/i18n.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { bookPicture } from '#web/ui/books/book-picture.ts'
import { Checkbox } from '#web/ui/inputs/Checkbox.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'
import { Picture } from '#web/ui/books/Picture.tsx'
import styles from './CourseForm.module.css'

/** Longer lists can be filtered by title. */
const FEW = 8

interface LessonChoicesProps {
  readonly choices: readonly CourseChoice[]
  readonly chosen: readonly number[]
  readonly onToggle: (id: number, isIn: boolean) => void
  readonly onBlur: () => void
}

/** Memoized, because typing in other fields must not render up to 1,000 rows again. */
export const LessonChoices = memo(function LessonChoices(props: LessonChoicesProps) {
  const { choices, chosen, onToggle, onBlur } = props
  const { t } = useText()
  const [search, setSearch] = useState('')
  const id = useId()
  const asked = foldTerm(search)
  const found = choices.filter(({ title }) => foldTerm(title).includes(asked))
  const ticked = new Set(chosen)
  return (
    <>
      {choices.length > FEW && (
        <>
          <label className="sr" htmlFor={id}>
            {t('filterByTitle')}
          </label>
          <TextInput
            id={id}
            type="search"
            value={search}
            placeholder={t('filterByTitle')}
            autoComplete="off"
            onChange={(event) => setSearch(event.target.value)}
            onKeyDown={(event) => {
              // Enter would submit the form.
              if (event.key === 'Enter') event.preventDefault()
            }}
          />
          <p className="sr" role="status">
            {search === '' ? '' : t('lessonCount', { total: found.length })}
          </p>
        </>
      )}
      {found.length === 0 && <p className="quiet">{t('noLessonsFound', { search })}</p>}
      <ul className={styles.choices} onBlur={onBlur}>
        {found.map((lesson) => (
          <li key={lesson.id}>
            <Checkbox
              checked={ticked.has(lesson.id)}
              onChange={(event) => onToggle(lesson.id, event.target.checked)}
            >
              <Picture
                {...bookPicture(lesson.thumbnail, '4rem')}
                alt=""
                width={64}
                height={36}
                loading="lazy"
              />
              <span lang={textLanguage(lesson.title)} dir="auto">
                {lesson.title}
              </span>
              {!lesson.counts && <small className="quiet">{t('lessonDoesNotCount')}</small>}
            </Checkbox>
          </li>
        ))}
      </ul>
    </>
  )
})
