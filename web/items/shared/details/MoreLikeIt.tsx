import type { ReactNode } from 'react'
import { Head } from '#web/ui/Head.tsx'
import styles from '#web/ui/styles/Item.module.css'

interface MoreLikeItProps {
  readonly title: string
  readonly children: ReactNode
}

export function MoreLikeIt({ title, children }: MoreLikeItProps) {
  return (
    <section className={styles.moreLikeIt} aria-labelledby="others">
      <Head title={title} id="others" />
      {children}
    </section>
  )
}
