import { useText } from '#web/core/i18n.tsx'
import { classes } from '#web/ui/classes.ts'
import styles from './RecoveryCodes.module.css'

export function RecoveryCodes({ codes }: { readonly codes: readonly string[] }) {
  const { t } = useText()
  return (
    <>
      <p>{t('factorCodesWhat')}</p>
      <ul className={classes('num', styles.codes)} aria-label={t('factorCodesTitle')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </>
  )
}

/** Downloads the codes as a text file, one in each line. */
export function saveCodes(codes: readonly string[]): void {
  const address = URL.createObjectURL(new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = address
  link.download = 'recovery-codes.txt'
  link.click()
  // The browser has started reading the file by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
