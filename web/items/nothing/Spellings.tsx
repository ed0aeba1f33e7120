import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'

/** Each is a search of its own. */
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
