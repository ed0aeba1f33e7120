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

/** The shape of a lesson's or a course's page. */
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
