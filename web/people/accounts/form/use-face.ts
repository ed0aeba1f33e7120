import { useEffect } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { accounts } from '#contract/accounts.ts'
import type { InputOf } from '#contract/endpoint.ts'

type Values = InputOf<typeof accounts.register>

/** Registers the picture without an input of its own. */
export function useFace({
  register,
  resetField,
  setError,
  setValue,
  watch,
}: Pick<UseFormReturn<Values>, 'register' | 'resetField' | 'setError' | 'setValue' | 'watch'>) {
  useEffect(() => {
    register('image')
  }, [register])
  const value: File | undefined = watch('image')
  return {
    value,
    onChoose: (file: File | undefined) => {
      setValue('image', file as Values['image'], { shouldValidate: true, shouldTouch: true })
    },
    onRefuse: (problem: string) => {
      // The schema would replace the reason with "required".
      resetField('image')
      setError('image', { type: 'file', message: problem })
    },
  }
}
