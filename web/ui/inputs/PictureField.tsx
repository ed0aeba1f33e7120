import { useCallback, useEffect, useRef } from 'react'
import { PICTURE_EXTENSIONS } from '#contract/limits.ts'
import { Button } from '#web/ui/Button.tsx'
import { classes } from '#web/ui/classes.ts'
import { useDroppedFile } from '#web/ui/inputs/dropped-file.ts'
import type { FieldWiring } from '#web/ui/inputs/Field.tsx'
import { FileButton } from '#web/ui/inputs/FileButton.tsx'
import { usePictureAddress } from '#web/ui/picture-origin.ts'
import styles from './Form.module.css'
import fieldStyles from './Field.module.css'

export interface PictureTexts {
  readonly choose: string
  readonly chooseAnother: string
  /** Such as "or drop or paste it here. jpg, jpeg or png, up to 8 MB." */
  readonly hint: string
  readonly remove: string
  /** The accessible name of the preview. */
  readonly preview: string
}

/** A way to get a picture other than choosing a file, such as drawing one. */
export interface PictureWay {
  /** Label of its button. */
  readonly label: string
  readonly take: () => Promise<void> | void
}

interface PictureFieldProps {
  /** From a Field with `group`. */
  readonly wiring: FieldWiring
  readonly texts: PictureTexts
  readonly value: File | undefined
  /** The current picture on an edit form, shown until another is chosen. */
  readonly saved?: string | undefined
  /** A file was chosen, dropped or pasted. The caller validates it and may refuse it. */
  readonly onPick: (file: File) => void
  readonly onRemove: () => void
  readonly ways?: readonly PictureWay[] | undefined
  /** The browser cannot decode the file, so it is not a picture, whatever its extension. */
  readonly onUnreadable: () => void
  /** Shows the picture square and uncropped, for faces. */
  readonly square?: boolean | undefined
  /** Name of the native file input that appears without JavaScript. */
  readonly name?: string | undefined
}

const ACCEPT = PICTURE_EXTENSIONS.map((extension) => `.${extension}`).join(',')

/** Accepts a file by drop, paste or choice, or makes one. */
export function PictureField(props: PictureFieldProps) {
  const { wiring, texts, value, saved, square, name, ways = [] } = props
  const { onPick, onRemove, onUnreadable } = props
  const shown = value !== undefined || saved !== undefined
  const address = usePictureAddress()
  const paint = useCallback(
    (image: HTMLImageElement) => {
      if (value === undefined) return
      const url = URL.createObjectURL(value)
      image.src = url
      return () => URL.revokeObjectURL(url)
    },
    [value],
  )
  const place = useRef<HTMLDivElement>(null)
  const { isOver, target } = useDroppedFile(onPick)
  usePastedFile(onPick)
  return (
    <>
      {shown && (
        <div data-preview className={classes(styles.preview, square && styles.square)}>
          <img
            ref={paint}
            src={value === undefined && saved !== undefined ? address(saved) : undefined}
            alt={texts.preview}
            onError={onUnreadable}
          />
          {value !== undefined && (
            <Button
              icon="x"
              onClick={() => {
                onRemove()
                // The pressed button is gone, so the focus moves to the next one.
                place.current?.querySelector('button')?.focus()
              }}
            >
              {texts.remove}
            </Button>
          )}
        </div>
      )}
      {name !== undefined && (
        <noscript>
          <input
            type="file"
            className={fieldStyles.input}
            name={name}
            accept={ACCEPT}
            aria-labelledby={wiring['aria-labelledby']}
          />
        </noscript>
      )}
      <div
        ref={place}
        role="group"
        id={wiring.id}
        data-drop
        className={classes(styles.drop, isOver && styles.overIt)}
        aria-labelledby={wiring['aria-labelledby']}
        aria-describedby={wiring['aria-describedby']}
        {...target}
      >
        <FileButton accept={ACCEPT} onFile={onPick}>
          {shown ? texts.chooseAnother : texts.choose}
        </FileButton>
        <span className="quiet">
          {texts.hint}{' '}
          <span className={styles.ways}>
            {ways.map(({ label, take }, place) => (
              // By its place: a button that was pressed keeps the focus when it offers the way back.
              <button
                key={place}
                type="button"
                className={styles.asLink}
                onClick={() => void take()}
              >
                {label}
              </button>
            ))}
          </span>
        </span>
      </div>
    </>
  )
}

/** Takes a picture pasted anywhere on the page, unless something else handles it. */
function usePastedFile(onFile: (file: File) => void): void {
  const take = useRef(onFile)
  useEffect(() => {
    take.current = onFile
  })
  useEffect(() => {
    function onPaste(event: ClipboardEvent): void {
      const inEditor = event.target instanceof HTMLElement && event.target.isContentEditable
      const file = event.clipboardData?.files[0]
      if (event.defaultPrevented || inEditor || file === undefined) return
      event.preventDefault()
      take.current(file)
    }
    document.addEventListener('paste', onPaste)
    return () => document.removeEventListener('paste', onPaste)
  }, [])
}
