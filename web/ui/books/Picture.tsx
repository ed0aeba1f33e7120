import type { ComponentProps } from 'react'
import { usePictureAddress } from '#web/ui/picture-origin.ts'

export interface PictureSources {
  readonly src: string
  readonly srcSet?: string | undefined
  /** The same widths as AVIF, for browsers that support it. */
  readonly avif?: string | undefined
  readonly sizes?: string | undefined
}

type PictureProps = PictureSources & Omit<ComponentProps<'img'>, keyof PictureSources>

/** Serves the smallest format that the browser supports. */
export function Picture({ avif, alt, src, srcSet, ...image }: PictureProps) {
  const address = usePictureAddress()
  const set = srcSet === undefined ? undefined : address(srcSet)
  const shown = <img {...image} src={address(src)} srcSet={set} alt={alt} />
  if (avif === undefined) return shown
  return (
    <picture>
      <source type="image/avif" srcSet={address(avif)} sizes={image.sizes} />
      {shown}
    </picture>
  )
}
