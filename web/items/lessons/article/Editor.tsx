/** The rich text editor. It is a chunk of its own, because it is larger than the rest of the page. */
import { EditorContent, useEditor } from '@tiptap/react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useText } from '#web/core/i18n.tsx'
import { installEditorPolicy } from '#web/items/lessons/article/editor-policy.ts'
import { editorExtensions } from '#web/items/lessons/article/editor-extensions.ts'
import { EditorTools } from '#web/items/lessons/article/EditorTools.tsx'
import type { LeftOut } from '#web/items/lessons/article/paste/editor-paste.ts'
import { Icon } from '#web/ui/Icon.tsx'
import styles from './Editor.module.css'
import fieldStyles from '#web/ui/inputs/Field.module.css'

installEditorPolicy()

export interface EditorProps {
  readonly id: string
  readonly labelledBy: string
  readonly describedBy?: string | undefined
  readonly invalid?: boolean | undefined
  /** HTML; read only once. */
  readonly initial: string
  /** Gets HTML, which is empty for an article without text. */
  readonly onChange: (html: string) => void
  readonly onBlur: () => void
}

/** An uncontrolled editor: it starts with `initial` and then holds the text itself. */
export function Editor(props: EditorProps) {
  const { id, labelledBy, describedBy, invalid, initial } = props
  const { t } = useText()
  // The editor keeps the handlers it was created with, so they read the latest props from a ref.
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
    // Updating the state makes ProseMirror read the attributes again.
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
