import { type DragEvent, useEffect, useState } from 'react'

/** Accepts the first dropped file. A file dropped elsewhere must not replace the page. */
export function useDroppedFile(onFile: (file: File) => void) {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const keepPage = (event: globalThis.DragEvent) => {
      if (holdsFiles(event)) event.preventDefault()
    }
    document.addEventListener('dragover', keepPage)
    document.addEventListener('drop', keepPage)
    return () => {
      document.removeEventListener('dragover', keepPage)
      document.removeEventListener('drop', keepPage)
    }
  }, [])
  return {
    /** A file is being dragged over the element. */
    isOver,
    /** Props for the element. */
    target: {
      onDragOver: (event: DragEvent) => {
        if (!holdsFiles(event)) return
        event.dataTransfer.dropEffect = 'copy'
        setOver(true)
      },
      onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
        const isInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget)
        if (!isInside) setOver(false)
      },
      onDrop: ({ dataTransfer }: DragEvent) => {
        setOver(false)
        const [file] = dataTransfer.files
        if (file !== undefined) onFile(file)
      },
    },
  }
}

const holdsFiles = ({ dataTransfer }: { readonly dataTransfer: DataTransfer | null }) =>
  dataTransfer?.types.includes('Files') === true
