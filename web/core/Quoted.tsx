import { textLanguage } from '#web/core/text-language.ts'
import styles from '#web/ui/styles/Note.module.css'

/** Repeats what somebody wrote, where it is reported or deleted. */
export function Quoted({ text }: { readonly text: string }) {
  return (
    <blockquote className={styles.quoted} lang={textLanguage(text)} dir="auto">
      {text}
    </blockquote>
  )
}
