import type { ReactNode } from 'react'
import { pictureProblem } from '#contract/files.ts'
import { PICTURE_BYTES } from '#contract/limits.ts'
import { message } from '#contract/message.ts'
import { useText } from '#web/core/i18n.tsx'
import { Field } from '#web/ui/inputs/Field.tsx'
import { PictureField } from '#web/ui/inputs/PictureField.tsx'

/** Size in px of a drawn rosette. */
const SIZE = 512

interface FacePictureProps {
  /** Name of the field if the form works without JavaScript. */
  readonly name?: string | undefined
  readonly label: ReactNode
  readonly help?: ReactNode
  /** True if a rosette is drawn as long as no picture is chosen. */
  readonly isDrawn?: boolean | undefined
  readonly value: File | undefined
  /** The path of the current picture, which stays if none is chosen. */
  readonly saved?: string | undefined
  readonly error: string | undefined
  readonly onChoose: (file: File | undefined) => void
  /** Receives a packed message if the file is not accepted. */
  readonly onRefuse: (problem: string) => void
}

/** The drawing code loads on the first press. */
async function drawRosette(): Promise<File> {
  const [{ avatar }, { drawPicture }] = await Promise.all([
    import('#contract/art.ts'),
    import('#web/ui/inputs/draw-picture.ts'),
  ])
  return drawPicture(avatar(Math.random()), SIZE, SIZE, 'rosette.png')
}

/** A profile picture: an uploaded file or a generated, unique rosette. */
export function FacePicture(props: FacePictureProps) {
  const { name, label, help, isDrawn, value, saved, error, onChoose, onRefuse } = props
  const { t } = useText()
  // After a refused file, the button restores the drawn picture.
  const canDraw = !isDrawn || error !== undefined

  function pick(file: File): void {
    const problem = pictureProblem(file)
    if (problem === null) onChoose(file)
    else onRefuse(problem)
  }

  function draw(): void {
    if (isDrawn) onChoose(undefined)
    else drawRosette().then(onChoose, () => onRefuse(message('pictureUnreadable')))
  }

  return (
    <Field name="image" label={label} help={help} error={error} group>
      {(wiring) => (
        <PictureField
          wiring={wiring}
          square
          name={name}
          value={value}
          saved={saved}
          texts={{
            choose: t('choosePicture'),
            chooseAnother: t('chooseAnother'),
            hint: t('pictureHelp', { megabytes: PICTURE_BYTES / 1024 ** 2 }),
            remove: t('remove'),
            preview: t('yourPicture'),
          }}
          ways={canDraw ? [{ label: t('drawFace'), take: draw }] : []}
          onPick={pick}
          onRemove={() => onChoose(undefined)}
          onUnreadable={() => {
            // The user cannot fix a saved picture that fails to load.
            if (value !== undefined || saved === undefined) onRefuse(message('pictureUnreadable'))
          }}
        />
      )}
    </Field>
  )
}
