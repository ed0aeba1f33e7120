import { type Locale, tagOf } from '#contract/messages/messages.ts'
import bulgarian from '#web/ui/fonts/vollkorn-bulgarian.woff2?url'
import latin from '#web/ui/fonts/vollkorn-latin.woff2?url'

/** Returns the font of the page's title, which is the only one worth preloading. */
export const titleFace = (locale: Locale): string =>
  new Intl.Locale(tagOf(locale)).maximize().script === 'Cyrl' ? bulgarian : latin
