interface SkeletonProps {
  /** What is coming, said once to readers. */
  readonly label: string
}

const times = (count: number) => Array.from({ length: count }, (_, index) => index)

function CardSkeleton() {
  return (
    <div className="card" aria-hidden="true">
      <span className="skeleton-part cover" />
      <div className="skeleton">
        <span className="skeleton-part line" />
        <span className="skeleton-part line" />
        <span className="skeleton-part line" />
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
    <div className="grid" role="status" aria-label={label}>
      {times(count).map((index) => (
        <CardSkeleton key={index} />
      ))}
    </div>
  )
}

/** The shape of the page of a lesson or course that is to be unlocked. */
export function ItemSkeleton({ label }: SkeletonProps) {
  return (
    <div className="item locked" role="status" aria-label={label}>
      <div aria-hidden="true">
        <span className="skeleton-part cover" />
      </div>
      <div className="skeleton" aria-hidden="true">
        <span className="skeleton-part title" />
        <span className="skeleton-part line" />
        <span className="skeleton-part line" />
        <span className="skeleton-part block" />
      </div>
    </div>
  )
}

/** The open lesson of a course: player, title, and the first lines. */
function ReadingSkeleton() {
  return (
    <div aria-hidden="true">
      <span className="skeleton-part cover" />
      <div className="skeleton">
        <span className="skeleton-part title" />
        <span className="skeleton-part line" />
        <span className="skeleton-part line" />
        <span className="skeleton-part block" />
      </div>
    </div>
  )
}

/** The shape of an open lesson: what is watched and read, others beside it. */
export function OpenLessonSkeleton({ label }: SkeletonProps) {
  return (
    <div className="item open" role="status" aria-label={label}>
      {/* The parts of the page itself, so that its rules place them: beside each other where there is room. */}
      <article aria-hidden="true">
        <div className="watch">
          <span className="skeleton-part cover" />
        </div>
        <div className="skeleton">
          <span className="skeleton-part title" />
          <span className="skeleton-part line" />
          <span className="skeleton-part line" />
          <span className="skeleton-part block" />
        </div>
      </article>
      <div className="side" aria-hidden="true">
        <div className="list">
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
    <div role="status" aria-label={label}>
      <div className="course-head skeleton" aria-hidden="true">
        <span className="skeleton-part title" />
      </div>
      <div className="item course">
        <div className="skeleton pile-skeleton" aria-hidden="true">
          {times(6).map((index) => (
            <span className="skeleton-part row" key={index} />
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
    <div className="skeleton" role="status" aria-label={label}>
      {times(count).map((index) => (
        <span className="skeleton-part row" key={index} aria-hidden="true" />
      ))}
    </div>
  )
}
