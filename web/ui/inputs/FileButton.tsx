import { type ReactNode, useRef } from 'react'
import { Button } from '#web/ui/Button.tsx'

interface FileButtonProps {
  /** Endings of names that the browser offers, such as `.png,.jpg`; all if not said. */
  readonly accept?: string | undefined
  readonly onFile: (file: File) => void
  /** On the button. */
  readonly children: ReactNode
}

/** A button that has a file chosen. */
export function FileButton({ accept, onFile, children }: FileButtonProps) {
  const chooser = useRef<HTMLInputElement>(null)
  return (
    <>
      {/* Hidden by a class: the pages allow no style attribute. */}
      <input
        ref={chooser}
        type="file"
        accept={accept}
        className="sr"
        tabIndex={-1}
        aria-hidden
        onChange={({ target: { files } }) => {
          if (files?.[0] !== undefined) onFile(files[0])
        }}
      />
      <Button
        onClick={() => {
          if (chooser.current === null) return
          // The same file may be chosen again.
          chooser.current.value = ''
          chooser.current.click()
        }}
      >
        {children}
      </Button>
    </>
  )
}
