import type { MessageKey } from '#contract/messages/messages.ts'
import { useText } from '#web/core/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/inputs/Checkbox.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import styles from './Desk.module.css'

interface KeysDialogProps {
  readonly onClose: () => void
  /** In the deleted view, the delete keys restore. */
  readonly deleted: boolean
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}

const keysOf = (deleted: boolean): readonly (readonly [readonly string[], MessageKey])[] => [
  [['J', '↓'], 'keysNext'],
  [['K', '↑'], 'keysPrevious'],
  [['X'], 'keysSelect'],
  [['Enter'], 'keysOpen'],
  [['#', 'Delete'], deleted ? 'keysRestore' : 'keysDelete'],
  [['U'], 'keysUndo'],
  [['?'], 'keysHelp'],
]

export function KeysDialog({ onClose, deleted, isOn, onChange }: KeysDialogProps) {
  const { t } = useText()
  return (
    <Dialog
      onClose={onClose}
      title={t('keysTitle')}
      actions={<Button onClick={onClose}>{t('close')}</Button>}
    >
      <dl className={styles.keyList}>
        {keysOf(deleted).map(([keys, does]) => (
          <div key={does}>
            <dt>
              {keys.map((key, place) => (
                <span key={key}>
                  {place > 0 && ` ${t('keysOr')} `}
                  <kbd>{key}</kbd>
                </span>
              ))}
            </dt>
            <dd>{t(does)}</dd>
          </div>
        ))}
      </dl>
      <Checkbox checked={isOn} onChange={(event) => onChange(event.target.checked)}>
        {t('keysOn')}
      </Checkbox>
    </Dialog>
  )
}
