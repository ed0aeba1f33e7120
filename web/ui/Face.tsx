import { classes } from '#web/ui/classes.ts'
import { usePictureAddress } from '#web/ui/picture-origin.ts'

interface FaceProps {
  readonly src: string
  readonly className?: string | undefined
  readonly eager?: boolean | undefined
}

/** Decorative, because the person's name is next to it. */
export function Face({ src, className, eager }: FaceProps) {
  const address = usePictureAddress()
  return (
    <img
      className={classes('face', className)}
      src={address(src)}
      alt=""
      width={64}
      height={64}
      loading={eager ? undefined : 'lazy'}
    />
  )
}
