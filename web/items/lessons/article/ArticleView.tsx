import { useEffect, useMemo, useRef } from 'react'
import { useText } from '#web/core/i18n.tsx'
import { articleHtml } from '#web/items/lessons/article/article-html.ts'
import { shiftHeadings } from '#web/items/lessons/article/article-levels.ts'
import { markTimes } from '#web/items/lessons/article/mark-times.ts'
import { useJumpTo } from '#web/core/video-times/VideoTimes.tsx'
import { textLanguage } from '#web/core/text-language.ts'
import { Prose } from '#web/ui/Prose.tsx'

/** Number of characters that fill the lines beside a drop cap. */
const LINES_BESIDE = 90

/** True when the article begins with a letter, in a paragraph that is tall enough for a drop cap. */
function beginsLarge(html: string): boolean {
  const first = /^<p>(.*?)<\/p>/s.exec(html)?.[1]?.replaceAll(/<[^>]*>/g, '') ?? ''
  return /^\p{L}/u.test(first) && first.length >= LINES_BESIDE
}

interface ArticleViewProps {
  /** HTML that the server cleaned. */
  readonly html: string
  /** The level of its highest heading, one below the heading above it; 2 by default. */
  readonly top?: 2 | 3 | undefined
}

/** Wide code can be scrolled by keyboard, and a time such as 2:15 jumps to that second of the video. */
export function ArticleView({ html, top = 2 }: ArticleViewProps) {
  const { t } = useText()
  const box = useRef<HTMLDivElement>(null)
  const jumpTo = useJumpTo()
  // The object must stay the same while the text does, because React would set the HTML again and remove the
  // buttons for times.
  const content = useMemo(() => articleHtml(shiftHeadings(html, top)), [html, top])
  useEffect(() => {
    for (const code of box.current?.querySelectorAll('pre') ?? []) {
      if (code.scrollWidth > code.clientWidth) code.tabIndex = 0
    }
  }, [html])
  useEffect(() => {
    if (jumpTo === null || box.current === null) return undefined
    const ended = new AbortController()
    for (const button of markTimes(box.current)) {
      button.setAttribute('aria-label', t('playFrom', { time: button.textContent }))
      const jump = () => jumpTo(Number(button.dataset['at']))
      button.addEventListener('click', jump, { signal: ended.signal })
    }
    return () => ended.abort()
  }, [content, jumpTo, t])
  return (
    <Prose
      ref={box}
      className={beginsLarge(html) ? 'initial' : undefined}
      lang={textLanguage(html)}
      dir="auto"
      // oxlint-disable-next-line react/no-danger -- The server has cleaned the article.
      dangerouslySetInnerHTML={content}
    />
  )
}
