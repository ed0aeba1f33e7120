/** Tab indents in the editor. Escape followed by Tab leaves it, so that keyboard users aren't trapped. */
import { type Editor, Extension } from '@tiptap/core'
import { Plugin } from '@tiptap/pm/state'

const FOUR_SPACES = '\u00a0'.repeat(4)

function indent(editor: Editor): boolean {
  if (editor.isActive('codeBlock')) return false
  if (editor.isActive('listItem') && editor.commands.sinkListItem('listItem')) return true
  // `insertContent` would parse the text as HTML and lose the spaces.
  return editor.commands.command(({ tr }) => {
    tr.insertText(FOUR_SPACES)
    return true
  })
}

function outdent(editor: Editor): boolean {
  if (editor.isActive('codeBlock')) return false
  if (editor.isActive('listItem')) return editor.commands.liftListItem('listItem')
  return editor.commands.command(({ tr, state }) => {
    const { $from, empty } = state.selection
    const before = $from.parent.textBetween(0, $from.parentOffset, undefined, ' ')
    if (empty && before.endsWith(FOUR_SPACES)) tr.delete($from.pos - 4, $from.pos)
    return true
  })
}

export const TabIndents = Extension.create({
  name: 'tabIndents',
  priority: 1000,

  addKeyboardShortcuts() {
    return {
      Tab: () => indent(this.editor),
      'Shift-Tab': () => outdent(this.editor),
    }
  },

  addProseMirrorPlugins() {
    let leaves = false
    return [
      new Plugin({
        props: {
          handleDOMEvents: {
            // Returning true makes the editor ignore the event, so the browser moves the focus.
            keydown: (_view, event) => {
              const leads = leaves && event.key === 'Tab'
              leaves = event.key === 'Escape' || (leaves && event.key === 'Shift')
              return leads
            },
            blur: () => {
              leaves = false
              return false
            },
          },
        },
      }),
    ]
  },
})
