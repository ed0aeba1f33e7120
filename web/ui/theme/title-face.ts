import type { Locale } from '#contract/messages/messages.ts'
import bulgarian from '#web/ui/fonts/vollkorn-bulgarian.woff2?url'
import latin from '#web/ui/fonts/vollkorn-latin.woff2?url'

/** The font of the page's title, which is the only one worth preloading. */
export const TITLE_FACES: Readonly<Record<Locale, string>> = { en: latin, bg: bulgarian }
