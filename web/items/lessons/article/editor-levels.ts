/** The page has its own h1, so screen readers get the levels at which the article's headings will be shown. */
import { Extension } from '@tiptap/core'
import { Plugin } from '@tiptap/pm/state'
import { Decoration, DecorationSet } from '@tiptap/pm/view'
import { levelShift, shiftedLevel } from '#web/items/lessons/article/article-levels.ts'

const TOP = 2

/** Only the rendered elements get `aria-level`; the document and its HTML don't change. */
export const AnnouncedLevels = Extension.create({
  name: 'announcedLevels',

  addProseMirrorPlugins() {
    return [
      new Plugin({
        props: {
          decorations: ({ doc }) => {
            const headings: { from: number; to: number; level: number }[] = []
            doc.descendants((node, from) => {
              if (node.type.name !== 'heading') return
              headings.push({ from, to: from + node.nodeSize, level: Number(node.attrs['level']) })
            })
            const shift = levelShift(
              headings.map(({ level }) => level),
              TOP,
            )
            if (shift === 0) return null
            const levels = headings.map(({ from, to, level }) =>
              Decoration.node(from, to, { 'aria-level': `${shiftedLevel(level, shift)}` }),
            )
            return DecorationSet.create(doc, levels)
          },
        },
      }),
    ]
  },
})
