import { useText } from '#web/core/i18n.tsx'
import styles from '#web/ui/inputs/Form.module.css'

/** A field's name with the mark that it must be filled in; readers hear it from the control. */
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
