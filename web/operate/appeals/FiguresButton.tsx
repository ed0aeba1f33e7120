import { type AnswerOf } from '#contract/endpoint.ts'
import { appeals } from '#contract/appeals.ts'
import { api } from '#web/core/api.ts'
import { FormAlert } from '#web/core/form/FormAlert.tsx'
import { useSending } from '#web/core/form/use-sending.ts'
import { useText } from '#web/core/i18n.tsx'
import { Button } from '#web/ui/Button.tsx'

type Figures = AnswerOf<typeof appeals.figures>['rows'][number]

const COLUMNS = [
  'month',
  'action',
  'acts',
  'appeals',
  'granted',
  'declined',
  'medianHours',
] as const satisfies readonly (keyof Figures)[]

/** Saves the figures of the last twelve months. The values need no quotes. */
export function FiguresButton() {
  const { t } = useText()
  const { busy, failure, send } = useSending()
  const save = async () => {
    const { rows } = await api(appeals.figures, {})
    const lines = rows.map((row) => COLUMNS.map((column) => row[column] ?? '').join(','))
    const csv = [COLUMNS.join(','), ...lines, ''].join('\r\n')
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([csv], { type: 'text/csv' }))
    link.download = 'appeals.csv'
    link.click()
    URL.revokeObjectURL(link.href)
  }
  return (
    <>
      <FormAlert alert={failure} />
      <Button icon="down" busy={busy} onClick={() => void send(save)}>
        {t('appealFigures')}
      </Button>
    </>
  )
}
