import { useMemo } from 'react'
import { useText } from '#web/core/i18n.tsx'
import { drawQr, type Qr, qrPicture } from '#web/ui/qr/qr.ts'
import { Button } from '#web/ui/Button.tsx'
import styles from '#web/ui/qr/QrCode.module.css'

interface QrCodeProps {
  readonly address: string
  readonly name: string
}

export function QrCode({ address, name }: QrCodeProps) {
  const { t } = useText()
  const qr = useMemo(() => drawQr(address), [address])
  return (
    <>
      <svg
        className={styles.qr}
        viewBox={`0 0 ${qr.size} ${qr.size}`}
        role="img"
        aria-label={t('qrAlt', { address })}
        shapeRendering="crispEdges"
      >
        <path d={qr.path} />
      </svg>
      <p className="small quiet">{t('qrHelp')}</p>
      <Button full onClick={() => void save(qr, name)}>
        {t('qrKeep')}
      </Button>
    </>
  )
}

async function save(qr: Qr, name: string): Promise<void> {
  const picture = await qrPicture(qr)
  if (picture === null) return
  const link = document.createElement('a')
  link.href = URL.createObjectURL(picture)
  link.download = `${name}.png`
  link.click()
  // The browser needs the URL for a moment after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 1000)
}
