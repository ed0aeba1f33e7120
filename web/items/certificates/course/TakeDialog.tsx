import { useState } from 'react'
import { useNavigate } from 'react-router'
import { certificates, nameProblem, normalizeName } from '#contract/certificates.ts'
import type { Course } from '#contract/courses.ts'
import { CERTIFICATE_NAME } from '#contract/limits.ts'
import { lengthOf } from '#contract/measure.ts'
import { Taken } from '#web/items/certificates/course/Taken.tsx'
import { api } from '#web/core/api.ts'
import { ApiError } from '#web/core/api-error.ts'
import { FormDialog } from '#web/core/form/FormDialog.tsx'
import { useSending } from '#web/core/form/use-sending.ts'
import { useText } from '#web/core/i18n.tsx'
import { leaveMoment } from '#web/core/moments/moment.ts'
import { to } from '#web/core/paths.ts'
import { Field } from '#web/ui/inputs/Field.tsx'
import { TextInput } from '#web/ui/inputs/TextInput.tsx'

interface TakeDialogProps {
  readonly course: Course
  readonly open: boolean
  readonly onClose: () => void
  /** Something is still missing after all. */
  readonly onRefused: () => void
}

/** The name is final, so the dialog says who will read it. The typed name stays until the certificate exists. */
export function TakeDialog({ course, open, onClose, onRefused }: TakeDialogProps) {
  const { t } = useText()
  const navigate = useNavigate()
  const sending = useSending()
  const [typed, setTyped] = useState('')
  const [isJudged, setJudged] = useState(false)
  const name = normalizeName(typed)
  const problem = nameProblem(name)
  const length = lengthOf(name)
  const take = async () => {
    try {
      const { code } = await api(certificates.take, { courseId: course.id, name })
      const path = to.certificate(code)
      leaveMoment(path, <Taken title={course.title} />)
      onClose()
      await navigate(path)
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) onRefused()
      throw error
    }
  }
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={t('certificateTakeTitle')}
      step={{ label: t('certificateTake'), kind: 'main', icon: 'check' }}
      form={{
        alert: sending.failure,
        busy: sending.busy,
        onSubmit: (event) => {
          event.preventDefault()
          setJudged(true)
          if (problem === null) void sending.send(take)
        },
      }}
    >
      <p>{t('certificateTakeWhat')}</p>
      <Field
        label={t('certificateName')}
        help={t('certificateNameHelp')}
        error={isJudged && problem !== null ? t(problem, { ...CERTIFICATE_NAME }) : undefined}
        count={t('count', { length, max: CERTIFICATE_NAME.max })}
        over={length > CERTIFICATE_NAME.max}
      >
        {(wiring) => (
          <TextInput
            {...wiring}
            name="certificate-name"
            autoComplete="name"
            dir="auto"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            onBlur={() => setJudged(typed !== '')}
          />
        )}
      </Field>
    </FormDialog>
  )
}
