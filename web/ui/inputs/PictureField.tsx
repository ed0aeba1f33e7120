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

/** What the field says, translated. */
export interface PictureTexts {
  readonly choose: string
  readonly chooseAnother: string
  /** "or drop or paste it here. jpg, jpeg or png, up to 8 MB." */
  readonly hint: string
  readonly remove: string
  /** What the preview shows, for readers. */
  readonly preview: string
  /** Taking a drawn one instead. */
  readonly draw?: string | undefined
}

interface PictureFieldProps {
  /** From a Field with `group`. */
  readonly wiring: FieldWiring
  readonly texts: PictureTexts
  readonly value: File | undefined
  /** The picture that was saved before, shown while none is chosen: on edit forms. */
  readonly saved?: string | undefined
  /** A file was chosen, dropped or pasted; whoever places the field judges it and takes it or not. */
  readonly onPick: (file: File) => void
  readonly onRemove: () => void
  readonly onDraw?: (() => void) | undefined
  /** The browser can't show it: it is no picture, whatever its name says. */
  readonly onUnreadable: () => void
  /** A face: shown square and whole. */
  readonly square?: boolean | undefined
  /** Of the field, where the form works without script: the browser's own button stands there then. */
  readonly name?: string | undefined
}

const ACCEPT = PICTURE_EXTENSIONS.map((extension) => `.${extension}`).join(',')

/**
 * A picture to send: drop, paste, choose, or have one drawn; with a preview and a way to take it back. It is long because
 * each way has a few lines of markup.
 */
export function PictureField(props: PictureFieldProps) {
  const { wiring, texts, value, saved, onPick, onRemove, onDraw, onUnreadable, square, name } =
    props
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
                // The button that was pressed is gone: the focus goes to what comes next.
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
          {onDraw !== undefined && (
            <button type="button" className={styles.asLink} onClick={onDraw}>
              {texts.draw}
            </button>
          )}
        </span>
      </div>
    </>
  )
}

/** A picture pasted anywhere on the page, where nothing else takes it. */
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
