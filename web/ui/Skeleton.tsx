import type { ReactNode } from 'react'
import { classes } from '#web/ui/classes.ts'
import styles from '#web/ui/styles/Skeleton.module.css'
import bookStyles from '#web/ui/books/Book.module.css'
import itemStyles from '#web/ui/styles/Item.module.css'

type Part = 'acts' | 'by' | 'cover' | 'filters' | 'line' | 'person' | 'row' | 'text' | 'title'

interface SkeletonProps {
  /** Screen readers announce it once. */
  readonly label: string
  /** The parts above a list. */
  readonly head?: readonly Part[] | undefined
}

const times = (count: number) => Array.from({ length: count }, (_, index) => index)

interface PartsProps {
  readonly of: readonly Part[]
  readonly className?: string | undefined
}

/** Grey parts of a page, one below the other. */
function Parts({ of, className }: PartsProps) {
  return (
    <div className={classes(styles.skeleton, className)}>
      {of.map((part, index) => (
        <span key={index} data-shape={part} />
      ))}
    </div>
  )
}

function Cards({
  count,
  className,
}: {
  readonly count: number
  readonly className: string | undefined
}) {
  return (
    <div className={className}>
      {times(count).map((index) => (
        <div className={bookStyles.card} key={index}>
          <Parts of={['cover']} />
          <Parts of={['line', 'line', 'line', 'line']} />
        </div>
      ))}
    </div>
  )
}

interface ShapeProps {
  readonly label: string
  readonly shape?: 'locked' | 'open' | undefined
  readonly children: ReactNode
}

function Shape({ label, shape, children }: ShapeProps) {
  return (
    <div data-shape={shape} role="status" aria-label={label}>
      {children}
    </div>
  )
}

export function GridSkeleton({ label, head }: SkeletonProps) {
  return (
    <Shape label={label}>
      {head !== undefined && <Parts of={head} className={styles.head} />}
      <Cards count={10} className={bookStyles.grid} />
    </Shape>
  )
}

/** A lesson or course that is not unlocked. */
export function ItemSkeleton({ label }: SkeletonProps) {
  return (
    <Shape label={label} shape="locked">
      <Parts of={['line']} className={itemStyles.crumbs} />
      <div className={classes(itemStyles.item, itemStyles.locked)}>
        <Parts of={['cover']} />
        <Parts of={['title', 'line', 'by', 'line', 'line', 'cover']} />
        <Parts of={['title', 'text']} />
      </div>
    </Shape>
  )
}

/** The shape of an open lesson: what is watched and read, others beside it. */
export function OpenLessonSkeleton({ label }: SkeletonProps) {
  return (
    <Shape label={label} shape="open">
      <div className={classes(itemStyles.item, itemStyles.open)}>
        {/* The parts of the page itself, so that its rules place them: beside each other where there is room. */}
        <article aria-hidden="true">
          <div className={itemStyles.watch}>
            <Parts of={['cover']} />
          </div>
          <Parts of={['title', 'line', 'by', 'acts', 'text']} className={itemStyles.opening} />
        </article>
        <Cards count={4} className={classes(itemStyles.list, styles.beside)} />
      </div>
    </Shape>
  )
}

/** The shape of an open course: its title, the pile at the side, the open lesson beside it. */
export function OpenCourseSkeleton({ label }: SkeletonProps) {
  return (
    <Shape label={label} shape="open">
      <Parts of={['line', 'title', 'line', 'acts']} className={itemStyles.courseHead} />
      <div className={classes(itemStyles.item, itemStyles.course)}>
        <Parts of={times(6).map(() => 'row')} className={styles.pile} />
        <div>
          <Parts of={['cover']} />
          <Parts of={['title', 'line', 'text']} className={itemStyles.opening} />
        </div>
      </div>
    </Shape>
  )
}

/** The shape of a table, or of a list of lines. */
export function RowSkeleton({
  label,
  count = 8,
  head = [],
}: SkeletonProps & { readonly count?: number | undefined }) {
  return (
    <Shape label={label}>
      <Parts of={[...head, ...times(count).map(() => 'row' as const)]} />
    </Shape>
  )
}
