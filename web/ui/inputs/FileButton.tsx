import { type ReactNode, useRef } from 'react'
import { Button } from '#web/ui/Button.tsx'

interface FileButtonProps {
  /** File extensions such as `.png,.jpg`. Default: all files. */
  readonly accept?: string | undefined
  readonly onFile: (file: File) => void
  readonly children: ReactNode
}

export function FileButton({ accept, onFile, children }: FileButtonProps) {
  const chooser = useRef<HTMLInputElement>(null)
  return (
    <>
      {/* Hidden by a class, because the page's policy forbids style attributes. */}
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
          // Allows the same file to be chosen again.
          chooser.current.value = ''
          chooser.current.click()
        }}
      >
        {children}
      </Button>
    </>
  )
}
