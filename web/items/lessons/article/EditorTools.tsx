import { type Editor, useEditorState } from '@tiptap/react'
import type { ReactNode } from 'react'
import type { MessageKey } from '#contract/messages/messages.ts'
import { useText } from '#web/core/i18n.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { classes } from '#web/ui/classes.ts'
import editorStyles from './Editor.module.css'
import iconButtonStyles from '#web/ui/styles/IconButton.module.css'

const LEVELS = [1, 2, 3, 4, 5, 6] as const

/** Returns the formatting at the caret. */
const look = (editor: Editor) => ({
  level: LEVELS.find((level) => editor.isActive('heading', { level })) ?? 0,
  bold: editor.isActive('bold'),
  italic: editor.isActive('italic'),
  underline: editor.isActive('underline'),
  code: editor.isActive('code'),
  blockquote: editor.isActive('blockquote'),
  bulletList: editor.isActive('bulletList'),
  orderedList: editor.isActive('orderedList'),
  codeBlock: editor.isActive('codeBlock'),
  undo: editor.can().undo(),
  redo: editor.can().redo(),
})

type Switch = Exclude<keyof ReturnType<typeof look>, 'level' | 'undo' | 'redo'>
type Chain = ReturnType<Editor['chain']>

interface Tool {
  readonly name: Switch
  readonly label: MessageKey
  /** The key of the shortcut, pressed with Ctrl or ⌘. */
  readonly key?: string
  readonly face: ReactNode
  readonly run: (chain: Chain) => Chain
}

const styles: readonly Tool[] = [
  {
    name: 'bold',
    label: 'editorBold',
    key: 'B',
    face: <b>B</b>,
    run: (chain) => chain.toggleBold(),
  },
  {
    name: 'italic',
    label: 'editorItalic',
    key: 'I',
    face: <em>I</em>,
    run: (chain) => chain.toggleItalic(),
  },
  {
    name: 'underline',
    label: 'editorUnderline',
    key: 'U',
    face: <u>U</u>,
    run: (chain) => chain.toggleUnderline(),
  },
  {
    name: 'code',
    label: 'editorMonospace',
    key: 'E',
    face: <Icon name="code" />,
    run: (chain) => chain.toggleCode(),
  },
]

const blocks: readonly Tool[] = [
  {
    name: 'blockquote',
    label: 'editorQuote',
    face: <Icon name="quote" />,
    run: (chain) => chain.toggleBlockquote(),
  },
  {
    name: 'bulletList',
    label: 'editorBulletList',
    face: <Icon name="list" />,
    run: (chain) => chain.toggleBulletList(),
  },
  {
    name: 'orderedList',
    label: 'editorOrderedList',
    face: <Icon name="ol" />,
    run: (chain) => chain.toggleOrderedList(),
  },
  {
    name: 'codeBlock',
    label: 'editorCodeBlock',
    face: <Icon name="block" />,
    run: (chain) => chain.toggleCodeBlock(),
  },
]

interface EditorToolsProps {
  readonly editor: Editor
  readonly controls: string
}

/** The toolbar. Pressing a button keeps the caret in its place. */
export function EditorTools({ editor, controls }: EditorToolsProps) {
  const { t } = useText()
  const state = useEditorState({ editor, selector: () => look(editor) })
  const draw = ({ name, label, key, face, run }: Tool) => (
    <button
      key={name}
      type="button"
      className={iconButtonStyles.iconBtn}
      aria-label={t(label)}
      aria-pressed={state[name]}
      title={key === undefined ? t(label) : `${t(label)} (Ctrl ${key})`}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => run(editor.chain().focus()).run()}
    >
      {face}
    </button>
  )
  const setLevel = (value: number) => {
    const level = LEVELS.find((candidate) => candidate === value)
    const chain = editor.chain().focus()
    if (level === undefined) chain.setParagraph().run()
    else chain.setHeading({ level }).run()
  }
  return (
    <div
      className={editorStyles.tools}
      role="toolbar"
      aria-label={t('editorTools')}
      aria-controls={controls}
    >
      <select
        aria-label={t('editorBlock')}
        value={state.level}
        onChange={(event) => setLevel(Number(event.target.value))}
      >
        <option value={0}>{t('editorParagraph')}</option>
        {LEVELS.map((level) => (
          <option key={level} value={level}>
            {t('editorHeading', { level })}
          </option>
        ))}
      </select>
      <hr />
      {styles.map(draw)}
      <hr />
      {blocks.map(draw)}
      <hr />
      <button
        type="button"
        className={iconButtonStyles.iconBtn}
        aria-label={t('editorUndo')}
        title={`${t('editorUndo')} (Ctrl Z)`}
        // Without a step to undo, `undo` does nothing.
        aria-disabled={!state.undo}
        onClick={() => editor.chain().focus().undo().run()}
      >
        <Icon name="undo" />
      </button>
      <button
        type="button"
        className={classes(iconButtonStyles.iconBtn, editorStyles.redo)}
        aria-label={t('editorRedo')}
        title={`${t('editorRedo')} (Ctrl Shift Z)`}
        // Without a step to redo, `redo` does nothing.
        aria-disabled={!state.redo}
        onClick={() => editor.chain().focus().redo().run()}
      >
        <Icon name="undo" />
      </button>
    </div>
  )
}
