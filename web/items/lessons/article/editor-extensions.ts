import type { Extensions } from '@tiptap/core'
import { Blockquote } from '@tiptap/extension-blockquote'
import { Bold } from '@tiptap/extension-bold'
import { Code } from '@tiptap/extension-code'
import { CodeBlock } from '@tiptap/extension-code-block'
import { Document } from '@tiptap/extension-document'
import { HardBreak } from '@tiptap/extension-hard-break'
import { Heading } from '@tiptap/extension-heading'
import { Italic } from '@tiptap/extension-italic'
import { BulletList, ListItem, ListKeymap, OrderedList } from '@tiptap/extension-list'
import { Paragraph } from '@tiptap/extension-paragraph'
import { Text } from '@tiptap/extension-text'
import { Underline } from '@tiptap/extension-underline'
import { Placeholder, UndoRedo } from '@tiptap/extensions'
import { AnnouncedLevels } from '#web/items/lessons/article/editor-levels.ts'
import { TabIndents } from '#web/items/lessons/article/editor-tab.ts'
import { type LeftOut, readsPastes } from '#web/items/lessons/article/paste/editor-paste.ts'

/**
 * @param placeholder shown while the article is empty
 * @param tellLeftOut called at each paste with what an article can't contain
 */
export function editorExtensions(
  placeholder: string,
  tellLeftOut: (leftOut: LeftOut | null) => void,
): Extensions {
  return [
    readsPastes(tellLeftOut),
    TabIndents,
    AnnouncedLevels,
    Document,
    Paragraph,
    Text,
    Heading.configure({ levels: [1, 2, 3, 4, 5, 6] }),
    Blockquote,
    BulletList,
    OrderedList,
    ListItem,
    ListKeymap,
    CodeBlock.configure({ enableTabIndentation: true, tabSize: 4 }),
    HardBreak,
    Bold,
    Italic,
    Underline,
    // By default code excludes all other marks; here all four can be combined.
    Code.extend({ excludes: '' }),
    UndoRedo,
    Placeholder.configure({ placeholder }),
  ]
}
