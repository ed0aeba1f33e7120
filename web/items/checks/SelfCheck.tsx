import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react'
import type { SelfCheck as Check } from '#contract/checks.ts'
import type { OpenLesson } from '#contract/lessons.ts'
import { AskedForm } from '#web/items/checks/AskedForm.tsx'
import { Judged } from '#web/items/checks/Judged.tsx'
import { useTaking } from '#web/items/checks/taking.ts'
import { useText } from '#web/core/i18n.tsx'
import { useSession } from '#web/core/session.ts'
import { Time } from '#web/core/time/Time.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import styles from './SelfCheck.module.css'

const CheckFigures = lazy(async () => {
  const module = await import('#web/items/checks/CheckFigures.tsx')
  return { default: module.CheckFigures }
})

export interface SelfCheckProps {
  readonly lesson: Pick<OpenLesson, 'id' | 'owner' | 'can' | 'inside'>
  /** Called after an attempt without mistakes. */
  readonly onPassed?: () => void
}

/** Can be repeated. The server alone judges the answers. */
export function SelfCheck(props: SelfCheckProps) {
  return props.lesson.inside.questions > 0 ? <Asking {...props} /> : null
}

function Asking({ lesson, onPassed }: SelfCheckProps) {
  const { t } = useText()
  const id = useId()
  const person = useSession()
  const taking = useTaking(lesson.id, onPassed)
  const { check, failed, taken, ask } = taking
  const [isOpen, setOpen] = useState(false)
  const questions = check?.questions.length ?? lesson.inside.questions
  const isAuthor = lesson.owner === person?._id || person?.role === 'administrator'
  const takeAgain = () => {
    taking.again()
    setOpen(true)
  }
  return (
    <section className={styles.selfCheck} aria-labelledby={id}>
      <h2 id={id}>{t('checkTitle')}</h2>
      {questions === 0 ? (
        <p>{t('checkNoneLeft')}</p>
      ) : (
        <>
          {taken === null && <p>{t('checkWhat', { total: questions })}</p>}
          {check !== null && taken === null && <Standing check={check} />}
        </>
      )}
      {failed && (
        <p className="quiet">
          {t('checkFailed')}{' '}
          <Button kind="bare" icon="retry" onClick={ask}>
            {t('tryAgain')}
          </Button>
        </p>
      )}
      {taken !== null && check !== null && (
        <Judged
          questions={check.questions}
          chosenOf={taking.chosenOf}
          taken={taken}
          onAgain={takeAgain}
        />
      )}
      {taken === null && !isOpen && questions > 0 && (
        <Button busy={check === null && !failed} disabled={failed} onClick={() => setOpen(true)}>
          {t((check?.last ?? null) === null ? 'checkBegin' : 'checkAgain')}
        </Button>
      )}
      {taken === null && isOpen && check !== null && questions > 0 && (
        <Begun>
          <AskedForm
            taking={taking}
            questions={check.questions}
            suspended={person?.suspended === true}
          />
        </Begun>
      )}
      {isAuthor && <Figures lesson={lesson.id} />}
    </section>
  )
}

/** Focuses the first question, because the pressed button is gone. */
function Begun({ children }: { readonly children: React.ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.querySelector('input')?.focus({ preventScroll: true }), [])
  return <div ref={box}>{children}</div>
}

function Standing({ check: { best, last, passedAt, revision } }: { readonly check: Check }) {
  const { t } = useText()
  if (last === null || best === null) return null
  return (
    <p className={styles.standing}>
      {passedAt !== null && (
        <>
          <Icon name="check" />
          <span>
            {t('checkPassed')} <Time date={passedAt} />.
          </span>{' '}
        </>
      )}
      <span>
        {t('checkStanding', { right: last.right, of: last.of, best: best.right, bestOf: best.of })}
        {last.revision !== revision && ` ${t('checkOlder')}`}
      </span>
    </p>
  )
}

/** Loaded when the author opens it. */
function Figures({ lesson }: { readonly lesson: number }) {
  const { t } = useText()
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      className={styles.checkFigures}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{t('checkFigures')}</summary>
      {isOpen && (
        <Suspense fallback={<p role="status">{t('checkLoading')}</p>}>
          <CheckFigures lesson={lesson} />
        </Suspense>
      )}
    </details>
  )
}
