import { useText } from '#web/core/i18n.tsx'

/** A field's name with the mark that it must be filled in; readers hear it from the control. */
export function RequiredLabel({ children }: { readonly children: string }) {
  const { t } = useText()
  return (
    <>
      {children}{' '}
      <small className="must" aria-hidden="true">
        {t('requiredMark')}
      </small>
    </>
  )
}
