import type { ComponentProps } from 'react'

export interface PictureSources {
  readonly src: string
  readonly srcSet?: string | undefined
  /** The same widths as AVIF, for browsers that read it. */
  readonly avif?: string | undefined
  readonly sizes?: string | undefined
}

type PictureProps = PictureSources & Omit<ComponentProps<'img'>, keyof PictureSources>

/** A picture in the smallest form that the browser reads. The frame around the image has no box of its own. */
export function Picture({ avif, alt, ...image }: PictureProps) {
  const shown = <img {...image} alt={alt} />
  if (avif === undefined) return shown
  return (
    <picture>
      <source type="image/avif" srcSet={avif} sizes={image.sizes} />
      {shown}
    </picture>
  )
}
