import bulgarian from '#web/ui/fonts/vollkorn-bulgarian.woff2?url'
import latin from '#web/ui/fonts/vollkorn-latin.woff2?url'

/** The font of the page's title, which is the only one worth preloading. */
export const titleFace = (language: string): string => (language === 'bg' ? bulgarian : latin)
