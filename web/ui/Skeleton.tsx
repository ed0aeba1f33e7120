import { classes } from '#web/ui/classes.ts'
import styles from '#web/ui/styles/Skeleton.module.css'
import bookStyles from '#web/ui/books/Book.module.css'
import itemStyles from '#web/ui/styles/Item.module.css'

interface SkeletonProps {
  /** What is coming, said once to readers. */
  readonly label: string
}

const times = (count: number) => Array.from({ length: count }, (_, index) => index)

function CardSkeleton() {
  return (
    <div className={bookStyles.card} aria-hidden="true">
      <span data-shape="cover" className={classes(styles.skeletonPart, styles.cover)} />
      <div className={styles.skeleton}>
        <span className={classes(styles.skeletonPart, styles.line)} />
        <span className={classes(styles.skeletonPart, styles.line)} />
        <span className={classes(styles.skeletonPart, styles.line)} />
      </div>
    </div>
  )
}

/** The shape of a list of cards. */
export function GridSkeleton({
  label,
  count = 10,
}: SkeletonProps & { readonly count?: number | undefined }) {
  return (
    <div className={bookStyles.grid} role="status" aria-label={label}>
      {times(count).map((index) => (
        <CardSkeleton key={index} />
      ))}
    </div>
  )
}

/** The shape of the page of a lesson or course that is to be unlocked. */
export function ItemSkeleton({ label }: SkeletonProps) {
  return (
    <div
      className={classes(itemStyles.item, itemStyles.locked)}
      data-shape="locked"
      role="status"
      aria-label={label}
    >
      <div aria-hidden="true">
        <span data-shape="cover" className={classes(styles.skeletonPart, styles.cover)} />
      </div>
      <div className={styles.skeleton} aria-hidden="true">
        <span className={classes(styles.skeletonPart, styles.title)} />
        <span className={classes(styles.skeletonPart, styles.line)} />
        <span className={classes(styles.skeletonPart, styles.line)} />
        <span className={classes(styles.skeletonPart, styles.block)} />
      </div>
    </div>
  )
}

/** The open lesson of a course: player, title, and the first lines. */
function ReadingSkeleton() {
  return (
    <div aria-hidden="true">
      <span data-shape="cover" className={classes(styles.skeletonPart, styles.cover)} />
      <div className={styles.skeleton}>
        <span className={classes(styles.skeletonPart, styles.title)} />
        <span className={classes(styles.skeletonPart, styles.line)} />
        <span className={classes(styles.skeletonPart, styles.line)} />
        <span className={classes(styles.skeletonPart, styles.block)} />
      </div>
    </div>
  )
}

/** The shape of an open lesson: what is watched and read, others beside it. */
export function OpenLessonSkeleton({ label }: SkeletonProps) {
  return (
    <div
      className={classes(itemStyles.item, itemStyles.open)}
      data-shape="open"
      role="status"
      aria-label={label}
    >
      {/* The parts of the page itself, so that its rules place them: beside each other where there is room. */}
      <article aria-hidden="true">
        <div className={itemStyles.watch}>
          <span data-shape="cover" className={classes(styles.skeletonPart, styles.cover)} />
        </div>
        <div className={styles.skeleton}>
          <span className={classes(styles.skeletonPart, styles.title)} />
          <span className={classes(styles.skeletonPart, styles.line)} />
          <span className={classes(styles.skeletonPart, styles.line)} />
          <span className={classes(styles.skeletonPart, styles.block)} />
        </div>
      </article>
      <div className={itemStyles.side} aria-hidden="true">
        <div className={itemStyles.list}>
          {times(4).map((index) => (
            <CardSkeleton key={index} />
          ))}
        </div>
      </div>
    </div>
  )
}

/** The shape of an open course: its title, the pile at the side, the open lesson beside it. */
export function OpenCourseSkeleton({ label }: SkeletonProps) {
  return (
    <div data-shape="open" role="status" aria-label={label}>
      <div className={classes(itemStyles.courseHead, styles.skeleton)} aria-hidden="true">
        <span className={classes(styles.skeletonPart, styles.title)} />
      </div>
      <div className={classes(itemStyles.item, itemStyles.course)}>
        <div className={styles.skeleton} aria-hidden="true">
          {times(6).map((index) => (
            <span className={classes(styles.skeletonPart, styles.row)} key={index} />
          ))}
        </div>
        <ReadingSkeleton />
      </div>
    </div>
  )
}

/** The shape of a table, or of a list of lines. */
export function RowSkeleton({
  label,
  count = 8,
}: SkeletonProps & { readonly count?: number | undefined }) {
  return (
    <div className={styles.skeleton} role="status" aria-label={label}>
      {times(count).map((index) => (
        <span className={classes(styles.skeletonPart, styles.row)} key={index} aria-hidden="true" />
      ))}
    </div>
  )
}
