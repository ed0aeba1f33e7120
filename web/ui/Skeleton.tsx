import { classes } from '#web/ui/classes.ts'
import styles from '#web/ui/styles/Skeleton.module.css'
import bookStyles from '#web/ui/books/Book.module.css'
import itemStyles from '#web/ui/styles/Item.module.css'

interface SkeletonProps {
  /** Screen readers announce it once. */
  readonly label: string
}

const times = (count: number) => Array.from({ length: count }, (_, index) => index)

function CardSkeleton() {
  return (
    <div className={bookStyles.card} aria-hidden="true">
      <span data-shape="cover" className={classes(styles.skeletonPart, styles.cover)} />
      <span className={styles.skeleton}>
        {times(4).map((index) => (
          <span key={index} className={classes(styles.skeletonPart, styles.line)} />
        ))}
      </span>
    </div>
  )
}

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

/** A lesson or course that is not unlocked. */
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

/** The open lesson of a course. */
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

export function OpenLessonSkeleton({ label }: SkeletonProps) {
  return (
    <div
      className={classes(itemStyles.item, itemStyles.open)}
      data-shape="open"
      role="status"
      aria-label={label}
    >
      {/* The page's own classes place these parts as on the page. */}
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
