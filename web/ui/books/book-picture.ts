import { srcset } from '#contract/files.ts'
import type { PictureSources } from '#web/ui/books/Picture.tsx'

/** Widths at which a card's book is shown. */
export const CARD_SIZES = '(min-width: 68rem) 15rem, min(40vw, 10rem)'

/** The sources of a thumbnail. `sizes` as in HTML. */
export function bookPicture(thumbnail: string, sizes: string): PictureSources {
  const set = srcset(thumbnail)
  return set === undefined
    ? { src: thumbnail }
    : { src: thumbnail, srcSet: set, avif: srcset(thumbnail, 'avif'), sizes }
}

/** A pattern paper says nothing about the lesson, so the book gets a label. */
export const isPatternPaper = (thumbnail: string): boolean => srcset(thumbnail) === undefined
