import { type FieldValues, type Path, type UseFormReturn, useController } from 'react-hook-form'

/** Connects FacePicture with a form field. */
export function useFaceField<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  name: Path<Values>,
) {
  const { field } = useController({ control: form.control, name })
  const given: unknown = field.value
  return {
    value: given instanceof File ? given : undefined,
    onChoose: (file: File | undefined) => {
      field.onChange(file)
      field.onBlur()
    },
    onRefuse: (problem: string) => {
      // `onChange` would validate and replace the reason with "required".
      form.resetField(name)
      form.setError(name, { type: 'file', message: problem })
    },
  }
}
