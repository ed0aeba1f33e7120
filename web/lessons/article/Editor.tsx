/** The rich editor. Loaded alone: it is larger than the rest of the page. */
import { EditorContent, useEditor } from '@tiptap/react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useText } from '#web/core/i18n.tsx'
import { cleanWhatTheEditorWrites } from '#web/lessons/article/editor-policy.ts'
import { editorExtensions } from '#web/lessons/article/editor-extensions.ts'
import { EditorTools } from '#web/lessons/article/EditorTools.tsx'
import type { LeftOut } from '#web/lessons/article/paste/editor-paste.ts'
import { Icon } from '#web/ui/Icon.tsx'
import styles from './Editor.module.css'
import fieldStyles from '#web/ui/inputs/Field.module.css'

cleanWhatTheEditorWrites()

export interface EditorProps {
  readonly id: string
  readonly labelledBy: string
  readonly describedBy?: string | undefined
  readonly invalid?: boolean | undefined
  /** HTML, read once. */
  readonly initial: string
  /** HTML; empty when nothing is written. */
  readonly onChange: (html: string) => void
  readonly onBlur: () => void
}

/**
 * The rich editor. It starts with `initial` and holds the text itself from then on; `onChange` gets the HTML, empty for
 * an article without words.
 */
export function Editor(props: EditorProps) {
  const { id, labelledBy, describedBy, invalid, initial } = props
  const { t } = useText()
  // The editor keeps the handlers of its first moment.
  const latest = useRef(props)
  useLayoutEffect(() => {
    latest.current = props
  })
  const [leftOut, setLeftOut] = useState<LeftOut | null>(null)
  const editor = useEditor({
    extensions: editorExtensions(t('writeArticle'), setLeftOut),
    content: initial,
    injectCSS: false,
    onUpdate: ({ editor, transaction }) => {
      if (transaction.getMeta('uiEvent') === undefined) setLeftOut(null)
      latest.current.onChange(editor.isEmpty ? '' : editor.getHTML())
    },
    onBlur: () => latest.current.onBlur(),
    editorProps: {
      attributes: () => ({
        id,
        class: 'prose',
        dir: 'auto',
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-labelledby': labelledBy,
        ...(latest.current.describedBy !== undefined && {
          'aria-describedby': latest.current.describedBy,
        }),
        ...(latest.current.invalid === true && { 'aria-invalid': 'true' }),
      }),
    },
  })
  useEffect(() => {
    // The attributes are asked for again when the state is.
    editor.view.updateState(editor.state)
  }, [editor, describedBy, invalid])
  return (
    <>
      <div className={styles.editor}>
        <EditorTools editor={editor} controls={id} />
        <EditorContent editor={editor} />
      </div>
      <div role="status">
        {leftOut !== null && (
          <p data-error className={fieldStyles.error}>
            <Icon name="warn" />
            {t(leftOut === 'pictures' ? 'articleNoPictures' : 'articleNoFiles')}
          </p>
        )}
      </div>
    </>
  )
}
