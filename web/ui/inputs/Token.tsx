import { IconButton } from '#web/ui/IconButton.tsx'

interface TokenProps {
  readonly children: string
  readonly removeLabel: string
  readonly onRemove: () => void
}

/** One taken tag, with its way out. */
export function Token({ children, removeLabel, onRemove }: TokenProps) {
  return (
    <span className="chip">
      {children}
      <IconButton icon="x" label={removeLabel} onClick={onRemove} />
    </span>
  )
}
