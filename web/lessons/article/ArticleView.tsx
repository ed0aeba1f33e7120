import { useEffect, useRef } from 'react'
import { articleHtml } from '#web/lessons/article/article-html.ts'
import { placeHeadings } from '#web/lessons/article/article-levels.ts'
import { textLanguage } from '#web/core/text-language.ts'
import { Prose } from '#web/ui/Prose.tsx'

/** Characters that fill the lines beside a large first letter. */
const LINES_BESIDE = 90

/** Whether an article begins with a letter, not a mark, and a paragraph tall enough for a large one. */
function beginsLarge(html: string): boolean {
  const first = /^<p>(.*?)<\/p>/s.exec(html)?.[1]?.replaceAll(/<[^>]*>/g, '') ?? ''
  return /^\p{L}/u.test(first) && first.length >= LINES_BESIDE
}

interface ArticleViewProps {
  /** As the server answered it. */
  readonly html: string
  /** The level of its highest heading: one below the heading over it, h2 by default. */
  readonly top?: 2 | 3 | undefined
}

/** An article in reading type. Code that is wider than the page can be scrolled by keyboard. */
export function ArticleView({ html, top = 2 }: ArticleViewProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    for (const code of box.current?.querySelectorAll('pre') ?? []) {
      if (code.scrollWidth > code.clientWidth) code.tabIndex = 0
    }
  }, [html])
  return (
    <Prose
      ref={box}
      className={beginsLarge(html) ? 'initial' : undefined}
      lang={textLanguage(html)}
      dir="auto"
      dangerouslySetInnerHTML={articleHtml(placeHeadings(html, top))}
    />
  )
}
