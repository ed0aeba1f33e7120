import bulgarian from '#web/ui/fonts/vollkorn-bulgarian.woff2?url'
import latin from '#web/ui/fonts/vollkorn-latin.woff2?url'

/** The face a page's title is set in: the one font worth a preload. */
export const titleFace = (language: string): string => (language === 'bg' ? bulgarian : latin)
