import { srcset } from '#contract/files.ts'
import type { PictureSources } from '#web/ui/books/Picture.tsx'

/** Rendered widths of a card's picture, for `sizes`. */
export const CARD_SIZES = '(min-width: 68rem) 15rem, min(40vw, 10rem)'

/** `sizes` as in HTML. */
export function bookPicture(thumbnail: string, sizes: string): PictureSources {
  const set = srcset(thumbnail)
  return set === undefined
    ? { src: thumbnail }
    : { src: thumbnail, srcSet: set, avif: srcset(thumbnail, 'avif'), sizes }
}

/** A generated pattern has no smaller versions. It says nothing about the lesson, so the book shows a label. */
export const isPatternPaper = (thumbnail: string): boolean => srcset(thumbnail) === undefined
