import { useText } from '#web/core/i18n.tsx'
import styles from '#web/ui/inputs/Form.module.css'

/** The visual mark is hidden from screen readers, which announce `required` from the control. */
export function RequiredLabel({ children }: { readonly children: string }) {
  const { t } = useText()
  return (
    <>
      {children}{' '}
      <small className={styles.must} aria-hidden="true">
        {t('requiredMark')}
      </small>
    </>
  )
}
