import { to } from '#web/core/paths.ts'
import { Link } from '#web/core/router/Link.tsx'
import { textLanguage } from '#web/core/text-language.ts'

interface TagLinkProps {
  readonly tag: string
  readonly className?: string | undefined
}

/** Links to everything with the tag. "." and ".." stay text, because browsers resolve such path segments. */
export function TagLink({ tag, className }: TagLinkProps) {
  const shown = { className, lang: textLanguage(tag), dir: 'auto' } as const
  if (tag === '.' || tag === '..') return <span {...shown}>{tag}</span>
  return (
    <Link {...shown} to={to.tag(tag.toLowerCase())}>
      {tag}
    </Link>
  )
}
