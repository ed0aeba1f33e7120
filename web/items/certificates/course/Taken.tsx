import { useEffect, useRef } from 'react'
import { Seal } from '#web/items/certificates/sheet/Seal.tsx'
import { useText } from '#web/core/i18n.tsx'
import { announce } from '#web/core/moments/announce.ts'
import styles from '#web/items/certificates/Certificate.module.css'

/** The celebration after taking a certificate. */
export function Taken({ title }: { readonly title: string }) {
  const { t } = useText()
  const words = t('certificateMoment', { course: title })
  const seal = useRef<HTMLDivElement>(null)
  useEffect(() => {
    announce(words)
    const from = seal.current
    if (from === null) return
    // Decoration, so a failure is ignored.
    import('#web/items/likes/particles.ts').then(
      ({ throwParticles }) => throwParticles(from),
      () => {},
    )
  }, [words])
  return (
    <section className={styles.certificateMoment} aria-labelledby="certificate-moment">
      <div className={styles.pressed} ref={seal}>
        <Seal />
      </div>
      <div>
        <h2 id="certificate-moment">{words}</h2>
        <p>{t('certificateMomentWhat')}</p>
      </div>
    </section>
  )
}
