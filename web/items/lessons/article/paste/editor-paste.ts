import { Extension } from '@tiptap/core'
import type { Slice } from '@tiptap/pm/model'
import { Plugin } from '@tiptap/pm/state'
import { readPasted } from '#web/items/lessons/article/paste/pasted-html.ts'

/** Pasted or dropped content that an article can't contain. */
export type LeftOut = 'pictures' | 'files'

/** @param tell called at each paste and drop with what was left out, or null */
export function readsPastes(tell: (leftOut: LeftOut | null) => void): Extension {
  return Extension.create({
    name: 'readsPastes',

    addProseMirrorPlugins() {
      let hadPictures = false
      const begin = () => {
        hadPictures = false
        tell(null)
      }
      return [
        new Plugin({
          props: {
            handleDOMEvents: {
              paste: () => {
                begin()
                return false
              },
              drop: (_view, event) => {
                begin()
                const data = event.dataTransfer
                if (data === null || !hasOnlyFiles(data)) return false
                // Otherwise the browser would leave the page and open the file.
                event.preventDefault()
                tell(kindOf(data.files))
                return true
              },
            },
            transformPastedHTML: (html) => {
              const pasted = readPasted(html)
              hadPictures = pasted.hadPictures
              if (hadPictures) tell('pictures')
              return pasted.html
            },
            // Returning true pastes nothing, so the selection stays.
            handlePaste: (_view, { clipboardData }, slice) => {
              const files = clipboardData?.files
              if (!isEmpty(slice)) return false
              if (files !== undefined && files.length > 0) tell(kindOf(files))
              else if (!hadPictures) return false
              return true
            },
          },
        }),
      ]
    },
  })
}

const hasOnlyFiles = (data: DataTransfer) =>
  data.files.length > 0 && data.getData('text/html') === '' && data.getData('text/plain') === ''

const kindOf = (files: FileList): LeftOut =>
  [...files].every(({ type }) => type.startsWith('image/')) ? 'pictures' : 'files'

const isEmpty = ({ content }: Slice) => content.textBetween(0, content.size, ' ').trim() === ''
