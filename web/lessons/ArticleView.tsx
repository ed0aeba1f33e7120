import { useEffect, useRef } from 'react'
import { articleHtml } from '#web/lessons/article-html.ts'
import { textLanguage } from '#web/core/text-language.ts'
import { Prose } from '#web/ui/Prose.tsx'

/** An article in reading type. Code that is wider than the page can be scrolled by keyboard. */
export function ArticleView({ html }: { readonly html: string }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    for (const code of box.current?.querySelectorAll('pre') ?? []) {
      if (code.scrollWidth > code.clientWidth) code.tabIndex = 0
    }
  }, [html])
  return <Prose ref={box} lang={textLanguage(html)} dangerouslySetInnerHTML={articleHtml(html)} />
}
