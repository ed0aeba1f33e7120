import { createContext, useContext } from 'react'

/** The origin that serves pictures, such as a CDN. Empty for the page's own. */
export const PictureOrigin = createContext('')

/** Matches uploaded and generated pictures, in `src` or `srcset`. */
const PICTURES = /(^|, )(?=\/(?:files\/pictures|art)\/)/g

/** Adds the origin to each picture path in a `src` or `srcset`, but not to other URLs such as `blob:`. */
export function usePictureAddress(): (paths: string) => string {
  const origin = useContext(PictureOrigin)
  return (paths) => (origin === '' ? paths : paths.replaceAll(PICTURES, `$1${origin}`))
}
