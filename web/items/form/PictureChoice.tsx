import { useState } from 'react'
import { cover } from '#contract/art.ts'
import { pictureProblem } from '#contract/files.ts'
import { PICTURE_BYTES } from '#contract/limits.ts'
import { newDraftId } from '#web/core/storage/draft-id.ts'
import { useText } from '#web/core/i18n.tsx'
import { drawPicture } from '#web/ui/inputs/draw-picture.ts'
import { Field } from '#web/ui/inputs/Field.tsx'
import { PictureField } from '#web/ui/inputs/PictureField.tsx'

interface PictureChoiceProps {
  readonly value: File | undefined
  /** The path of the picture that stays when none is chosen. */
  readonly current: string | undefined
  readonly error: string | undefined
  /** What is drawn instead of a picture; a pattern paper if not said. */
  readonly drawing?: Drawing | undefined
  /** `paper` is the seed of what was drawn, null for somebody's own picture. */
  readonly onChange: (file: File | undefined, paper: string | null) => void
}

interface Drawing {
  /** On the button. */
  readonly label: string
  /** Of the next drawing. */
  readonly seed: () => string
  readonly draw: (seed: string) => Promise<File>
}

/** A pattern paper as a file: drawn by the same hand as the server's covers. */
export const drawPaper = (seed: string): Promise<File> =>
  drawPicture(cover(seed), 1280, 720, 'paper.png')

/** The item's picture, or a drawn one. A file that is none is refused at once, and shown nowhere. */
export function PictureChoice({ value, current, error, drawing, onChange }: PictureChoiceProps) {
  const { t, tp } = useText()
  const [refusal, setRefusal] = useState<string>()
  const pick = (file: File) => {
    const problem = pictureProblem(file)
    setRefusal(problem === null ? undefined : tp(problem))
    if (problem === null) onChange(file, null)
  }
  const draw = async () => {
    const seed = drawing?.seed() ?? newDraftId()
    try {
      onChange(await (drawing?.draw ?? drawPaper)(seed), seed)
      setRefusal(undefined)
    } catch {
      setRefusal(t('somethingWrong'))
    }
  }
  return (
    <Field
      group
      name="image"
      label={t('picture')}
      help={current !== undefined && value === undefined ? t('pictureStays') : undefined}
      error={refusal ?? error}
    >
      {(wiring) => (
        <PictureField
          wiring={wiring}
          value={value}
          saved={current}
          onPick={pick}
          onRemove={() => onChange(undefined, null)}
          onDraw={() => void draw()}
          onUnreadable={() => {
            if (value === undefined) return
            onChange(undefined, null)
            setRefusal(t('pictureUnreadable'))
          }}
          texts={{
            choose: t('choosePicture'),
            chooseAnother: t('chooseAnother'),
            hint: t('pictureHelp', { megabytes: PICTURE_BYTES / 1024 ** 2 }),
            remove: t('remove'),
            preview: t('yourPicture'),
            draw: drawing?.label ?? t('usePaper'),
          }}
        />
      )}
    </Field>
  )
}
