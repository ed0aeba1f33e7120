import { useEffect, useRef } from 'react'
import { articleHtml } from '#web/lessons/article-html.ts'
import { textLanguage } from '#web/core/text-language.ts'
import { Prose } from '#web/ui/Prose.tsx'

/** Characters that fill the lines beside a large first letter. */
const LINES_BESIDE = 90

/** Whether an article begins with a letter, not a mark, and a paragraph tall enough for a large one. */
function beginsLarge(html: string): boolean {
  const first = /^<p>(.*?)<\/p>/s.exec(html)?.[1]?.replaceAll(/<[^>]*>/g, '') ?? ''
  return /^\p{L}/u.test(first) && first.length >= LINES_BESIDE
}

/** An article in reading type. Code that is wider than the page can be scrolled by keyboard. */
export function ArticleView({ html }: { readonly html: string }) {
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
      dangerouslySetInnerHTML={articleHtml(html)}
    />
  )
}
