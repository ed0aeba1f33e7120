import { useController, type UseFormReturn } from 'react-hook-form'
import type * as z from 'zod/mini'
import type { Registration } from '#contract/accounts.ts'
import { avatar } from '#contract/art.ts'
import { pictureProblem } from '#contract/files.ts'
import { PICTURE_BYTES } from '#contract/limits.ts'
import { message } from '#contract/message.ts'
import { RequiredLabel } from '#web/accounts/RequiredLabel.tsx'
import { useText } from '#web/core/i18n.tsx'
import { drawPicture } from '#web/ui/draw-picture.ts'
import { Field } from '#web/ui/Field.tsx'
import { PictureField } from '#web/ui/PictureField.tsx'

/** Pixels of a drawn rosette. */
const SIZE = 512

interface FacePictureProps {
  readonly form: UseFormReturn<z.input<typeof Registration>>
  readonly error: string | undefined
}

/** The picture of a person: their own, or a rosette nobody else has. */
export function FacePicture({ form, error }: FacePictureProps) {
  const { t } = useText()
  const { field } = useController({ control: form.control, name: 'image' })
  const given: unknown = field.value

  function pick(file: File): void {
    const problem = pictureProblem(file)
    if (problem === null) keep(file)
    else refuse(problem)
  }

  function keep(file: File | undefined): void {
    field.onChange(file)
    field.onBlur()
  }

  function refuse(problem: string): void {
    // Not by onChange: its own check would put "required" over the reason.
    form.resetField('image')
    form.setError('image', { type: 'file', message: problem })
  }

  async function draw(): Promise<void> {
    const rosette = avatar(Math.random())
    keep(await drawPicture(rosette, SIZE, SIZE, 'rosette.png'))
  }

  return (
    <Field label={<RequiredLabel>{t('profilePicture')}</RequiredLabel>} error={error} group>
      {(wiring) => (
        <PictureField
          wiring={wiring}
          square
          value={given instanceof File ? given : undefined}
          texts={{
            choose: t('choosePicture'),
            chooseAnother: t('chooseAnother'),
            hint: t('pictureHelp', { megabytes: PICTURE_BYTES / 1024 ** 2 }),
            remove: t('remove'),
            preview: t('yourPicture'),
            draw: t('drawFace'),
          }}
          onPick={pick}
          onRemove={() => keep(undefined)}
          onDraw={() => draw().catch(() => refuse(message('pictureUnreadable')))}
          onUnreadable={() => refuse(message('pictureUnreadable'))}
        />
      )}
    </Field>
  )
}
