import { useState } from 'react'
import { pictureProblem } from '#contract/files.ts'
import { PICTURE_BYTES } from '#contract/limits.ts'
import { useText } from '#web/core/i18n.tsx'
import { Field } from '#web/ui/inputs/Field.tsx'
import { PictureField, type PictureWay } from '#web/ui/inputs/PictureField.tsx'

interface PictureChoiceProps {
  readonly value: File | undefined
  /** The path of the picture that stays if none is chosen. */
  readonly current: string | undefined
  readonly error: string | undefined
  /** Shown while there is no picture at all. */
  readonly help?: string | undefined
  /** Other ways to get a picture; one that fails changes nothing. */
  readonly ways: readonly PictureWay[]
  readonly onChange: (file: File | undefined) => void
}

/** A chosen file that is no picture is refused immediately. */
export function PictureChoice(props: PictureChoiceProps) {
  const { value, current, error, help, ways, onChange } = props
  const { t, tp } = useText()
  const [refusal, setRefusal] = useState<string>()
  const pick = (file: File) => {
    const problem = pictureProblem(file)
    setRefusal(problem === null ? undefined : tp(problem))
    if (problem === null) onChange(file)
  }
  const goBy = async (way: PictureWay) => {
    try {
      await way.take()
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
          name="image"
          value={value}
          saved={current}
          onPick={pick}
          onRemove={() => onChange(undefined)}
          ways={ways.map((way) => ({ label: way.label, take: () => goBy(way) }))}
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
          }}
        />
      )}
    </Field>
  )
}
