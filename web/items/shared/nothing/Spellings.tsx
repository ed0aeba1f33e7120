import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'

/** Links that search for a similar spelling. */
export function Spellings({ spellings }: { readonly spellings: readonly string[] }) {
  return (
    <>
      {spellings.map((spelling, place) => (
        <span key={spelling}>
          {place > 0 && ', '}
          <Link to={to.search({ q: spelling })} dir="auto">
            {spelling}
          </Link>
        </span>
      ))}
    </>
  )
}
