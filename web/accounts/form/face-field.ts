import { type FieldValues, type Path, type UseFormReturn, useController } from 'react-hook-form'

/** The field `image` of a form: what FacePicture needs to show and change it. */
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
      // Not by onChange: its own check would put "required" over the reason.
      form.resetField(name)
      form.setError(name, { type: 'file', message: problem })
    },
  }
}
