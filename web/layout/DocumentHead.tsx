import { useEffect } from 'react'
import { isolate } from '#contract/direction.ts'
import { type UIMatch, useMatches } from 'react-router'
import { useText } from '#web/core/i18n.tsx'
import type { PageHandle } from '#web/core/router/route-page.ts'
import { originsOf, useSettings } from '#web/core/settings.ts'

/** Updates the window's title on navigation. The server writes the rest of the head. */
export function DocumentHead() {
  const texts = useText()
  const settings = useSettings()
  // Only our own route table sets handles.
  const match = useMatches().at(-1) as UIMatch<unknown, PageHandle | undefined> | undefined
  const data = match?.loaderData
  const head = match?.handle?.head
  useEffect(() => {
    if (head === undefined || data === undefined) return
    document.title = titleOf(head(data, texts, originsOf(settings)).title, texts.t('brand'))
  }, [head, data, texts, settings])
  return null
}

/** The page's title comes first, because tabs cut off the end. */
export const titleOf = (title: string, brand: string): string => `${isolate(title)} · ${brand}`
