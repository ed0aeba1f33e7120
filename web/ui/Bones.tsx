interface BonesProps {
  /** What is coming, said once to readers. */
  readonly label: string
}

const times = (count: number) => Array.from({ length: count }, (_, index) => index)

function CardBones() {
  return (
    <div className="card" aria-hidden="true">
      <span className="bone cover" />
      <div className="bones">
        <span className="bone line" />
        <span className="bone line" />
        <span className="bone line" />
      </div>
    </div>
  )
}

/** The shape of a list of cards. */
export function GridBones({
  label,
  count = 10,
}: BonesProps & { readonly count?: number | undefined }) {
  return (
    <div className="grid" role="status" aria-label={label}>
      {times(count).map((index) => (
        <CardBones key={index} />
      ))}
    </div>
  )
}

/** The shape of the page of a lesson or course that is to be unlocked. */
export function ItemBones({ label }: BonesProps) {
  return (
    <div className="item locked" role="status" aria-label={label}>
      <div aria-hidden="true">
        <span className="bone cover" />
      </div>
      <div className="bones" aria-hidden="true">
        <span className="bone title" />
        <span className="bone line" />
        <span className="bone line" />
        <span className="bone block" />
      </div>
    </div>
  )
}

/** Player, title, and the first lines. */
function ReadingBones() {
  return (
    <div aria-hidden="true">
      <span className="bone cover" />
      <div className="bones">
        <span className="bone title" />
        <span className="bone line" />
        <span className="bone line" />
        <span className="bone block" />
      </div>
    </div>
  )
}

/** The shape of an open lesson: what is watched and read, others beside it. */
export function OpenLessonBones({ label }: BonesProps) {
  return (
    <div className="item open" role="status" aria-label={label}>
      <ReadingBones />
      <div className="side" aria-hidden="true">
        <div className="list">
          {times(4).map((index) => (
            <CardBones key={index} />
          ))}
        </div>
      </div>
    </div>
  )
}

/** The shape of an open course: its title, the pile at the side, the open lesson beside it. */
export function OpenCourseBones({ label }: BonesProps) {
  return (
    <div role="status" aria-label={label}>
      <div className="course-head bones" aria-hidden="true">
        <span className="bone title" />
      </div>
      <div className="item course">
        <div className="bones pile-bones" aria-hidden="true">
          {times(6).map((index) => (
            <span className="bone row" key={index} />
          ))}
        </div>
        <ReadingBones />
      </div>
    </div>
  )
}

/** The shape of a table, or of a list of lines. */
export function RowBones({
  label,
  count = 8,
}: BonesProps & { readonly count?: number | undefined }) {
  return (
    <div className="bones" role="status" aria-label={label}>
      {times(count).map((index) => (
        <span className="bone row" key={index} aria-hidden="true" />
      ))}
    </div>
  )
}
