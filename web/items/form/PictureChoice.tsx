import { useState } from 'react'
import { pictureProblem } from '#contract/files.ts'
import { PICTURE_BYTES } from '#contract/limits.ts'
import { useText } from '#web/core/i18n.tsx'
import { Field } from '#web/ui/inputs/Field.tsx'
import { PictureField } from '#web/ui/inputs/PictureField.tsx'

interface PictureChoiceProps {
  readonly value: File | undefined
  /** The path of the picture that stays when none is chosen. */
  readonly current: string | undefined
  readonly error: string | undefined
  /** Shown while no picture is chosen and none is there. */
  readonly help?: string | undefined
  /** A way to have a picture drawn instead. */
  readonly drawing?: Drawing | undefined
  readonly onChange: (file: File | undefined) => void
}

interface Drawing {
  /** On the button. */
  readonly label: string
  readonly draw: () => Promise<void> | void
}

/** The item's picture, or a drawn one. A file that is none is refused at once, and shown nowhere. */
export function PictureChoice(props: PictureChoiceProps) {
  const { value, current, error, help, drawing, onChange } = props
  const { t, tp } = useText()
  const [refusal, setRefusal] = useState<string>()
  const pick = (file: File) => {
    const problem = pictureProblem(file)
    setRefusal(problem === null ? undefined : tp(problem))
    if (problem === null) onChange(file)
  }
  const draw = async () => {
    try {
      await drawing?.draw()
      setRefusal(undefined)
    } catch {
      setRefusal(t('somethingWrong'))
    }
  }
  const stays = current === undefined ? help : t('pictureStays')
  return (
    <Field
      group
      name="image"
      label={t('picture')}
      help={value === undefined ? stays : undefined}
      error={refusal ?? error}
    >
      {(wiring) => (
        <PictureField
          wiring={wiring}
          value={value}
          saved={current}
          onPick={pick}
          onRemove={() => onChange(undefined)}
          onDraw={drawing && (() => void draw())}
          onUnreadable={() => {
            if (value === undefined) return
            onChange(undefined)
            setRefusal(t('pictureUnreadable'))
          }}
          texts={{
            choose: t('choosePicture'),
            chooseAnother: t('chooseAnother'),
            hint: t('pictureHelp', { megabytes: PICTURE_BYTES / 1024 ** 2 }),
            remove: t('remove'),
            preview: t('yourPicture'),
            draw: drawing?.label,
          }}
        />
      )}
    </Field>
  )
}
