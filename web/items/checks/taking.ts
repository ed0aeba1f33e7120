/** The state of a self-check. The browser loads the questions, so that the page's HTML never contains them. */
import { useEffect, useState } from 'react'
import { checks, type SelfCheck, type Taken } from '#contract/checks.ts'
import { api } from '#web/core/api.ts'
import { ApiError } from '#web/core/api-error.ts'
import { useText } from '#web/core/i18n.tsx'

export type AskedQuestion = SelfCheck['questions'][number]

interface Taking {
  /** Null until it is loaded. */
  readonly check: SelfCheck | null
  /** True if loading failed. */
  readonly failed: boolean
  readonly ask: () => void
  /** The result of the last attempt, until the next one starts. */
  readonly taken: Taken | null
  readonly busy: boolean
  /** Why the last attempt was refused. A new object each time. */
  readonly refusal: { readonly text: string } | null
  /** The indexes of the chosen answers. */
  readonly chosenOf: (question: AskedQuestion) => readonly number[]
  readonly choose: (question: AskedQuestion, chosen: readonly number[]) => void
  readonly send: () => Promise<void>
  /** Starts another attempt without any answers. */
  readonly again: () => void
}

/** Answers are stored by the question's content, so they stay if other questions change. */
const nameOf = (question: AskedQuestion) => JSON.stringify(question)
const NOTHING: ReadonlyMap<string, readonly number[]> = new Map()

/** `onPassed` is called after an attempt without mistakes. */
export function useTaking(lessonId: number, onPassed?: () => void): Taking {
  const { t } = useText()
  const { check, failed, ask, setCheck } = useQuestions(lessonId)
  const [taken, setTaken] = useState<Taken | null>(null)
  const [chosen, setChosen] = useState(NOTHING)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Taking['refusal']>(null)

  const chosenOf = (question: AskedQuestion) => chosen.get(nameOf(question)) ?? []
  const send = async () => {
    if (busy || check === null) return
    setBusy(true)
    setRefusal(null)
    const { revision, questions } = check
    try {
      const answers = questions.map((question) => [...chosenOf(question)])
      const { best, last, passedAt, ...answer } = await api(checks.take, {
        lessonId,
        revision,
        answers,
      })
      setTaken({ ...answer, best, last, passedAt })
      setCheck({ ...check, best, last, passedAt })
      if (answer.passed) onPassed?.()
    } catch (error) {
      const isChanged = error instanceof ApiError && error.key === 'checkChanged'
      if (isChanged) setCheck(await api(checks.show, { lessonId }).catch(() => null))
      setRefusal({ text: error instanceof ApiError ? error.message : t('somethingWrong') })
    } finally {
      setBusy(false)
    }
  }
  return {
    check,
    failed,
    ask,
    taken,
    busy,
    refusal,
    chosenOf,
    choose: (question, places) => {
      setRefusal(null)
      setChosen(new Map(chosen).set(nameOf(question), places))
    },
    send,
    again: () => {
      setTaken(null)
      setRefusal(null)
      setChosen(NOTHING)
    },
  }
}

interface Questions extends Pick<Taking, 'check' | 'failed' | 'ask'> {
  /** Null if loading failed. */
  readonly setCheck: (check: SelfCheck | null) => void
}

function useQuestions(lessonId: number): Questions {
  const [had, setHad] = useState<{ readonly check: SelfCheck | null } | null>(null)
  const [times, setTimes] = useState(0)
  useEffect(() => {
    let isLeft = false
    const keep = (check: SelfCheck | null) => {
      if (!isLeft) setHad({ check })
    }
    api(checks.show, { lessonId }, { unasked: true }).then(keep, () => keep(null))
    return () => {
      isLeft = true
    }
  }, [lessonId, times])
  return {
    check: had?.check ?? null,
    failed: had !== null && had.check === null,
    ask: () => setTimes((count) => count + 1),
    setCheck: (check) => setHad({ check }),
  }
}
