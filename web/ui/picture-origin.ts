import { createContext, useContext } from 'react'

/** The origin from which pictures are fetched, such as that of a CDN; empty: that of the page. */
export const PictureOrigin = createContext('')

/** A path of a picture of ours, alone or in a `srcset`: uploaded ones and drawn ones. */
const PICTURES = /(^|, )(?=\/(?:files\/pictures|art)\/)/g

/**
 * Puts the origin of pictures before each path of a picture, in a `src` or a `srcset`. Anything else, such as a `blob:`
 * of a picture that was chosen just now, stays as it is.
 */
export function usePictureAddress(): (paths: string) => string {
  const origin = useContext(PictureOrigin)
  return (paths) => (origin === '' ? paths : paths.replaceAll(PICTURES, `$1${origin}`))
}
