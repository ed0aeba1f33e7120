import type { AlsoUnlockedCourses, Course } from '#contract/courses.ts'
import { useText } from '#web/core/i18n.tsx'
import { CourseInside } from '#web/items/courses/details/CourseInside.tsx'
import { ItemActs } from '#web/items/shared/details/ItemActs.tsx'
import { Byline, TagList } from '#web/items/shared/details/ItemFacts.tsx'
import { LockedItem } from '#web/items/shared/details/LockedItem.tsx'
import { MoreLikeIt } from '#web/items/shared/details/MoreLikeIt.tsx'
import { ItemNumbers } from '#web/items/shared/list/ItemNumbers.tsx'
import { ItemOffer } from '#web/items/shared/details/ItemOffer.tsx'
import { CoursesBeside } from '#web/items/courses/details/CoursesBeside.tsx'
import { FollowAuthor } from '#web/items/follows/FollowAuthor.tsx'
import { useItemRatings } from '#web/items/ratings/item-ratings.ts'
import { Ratings } from '#web/items/ratings/Ratings.tsx'
import { SignedIn } from '#web/core/SignedIn.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import styles from '#web/ui/styles/Item.module.css'

/** Number of cards in a row on a large screen. */
const A_ROW = 5

export interface CourseLockedPageProps {
  readonly course: Course
  readonly also: AlsoUnlockedCourses
}

export function CourseLockedPage({ course, also }: CourseLockedPageProps) {
  const { t } = useText()
  const listed = useItemRatings('course', course.id)
  return (
    <>
      <LockedItem
        kind="course"
        item={course}
        inside={
          <div>
            <CourseInside course={course} />
            <Ratings kind="course" item={course} listed={listed} />
          </div>
        }
      >
        <Byline item={course}>
          <SignedIn>
            <FollowAuthor key={course.owner} item={course} />
          </SignedIn>
        </Byline>
        <p data-figures className={styles.figures}>
          <span>
            <Icon name="book" />
            {t('lessonCount', { total: course.lessons.length })}
          </span>
          <ItemNumbers kind="course" item={course} form="words" />
        </p>
        <TagList tags={course.tags} />
        <ItemOffer kind="course" item={course} leads />
        <ItemActs kind="course" item={course} />
      </LockedItem>
      {also.courses.length > 0 && (
        <MoreLikeIt title={t(also.because === 'unlocked' ? 'alsoUnlockedCourse' : 'sameTags')}>
          <CoursesBeside courses={also.courses.slice(0, A_ROW)} />
        </MoreLikeIt>
      )}
    </>
  )
}
