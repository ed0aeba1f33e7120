import { expect, test } from 'vitest'
import { NO_VALUES, previewOf, valuesOfDraft } from '#web/items/courses/form/course-values.ts'

const LESSON = { title: 'A lesson', thumbnail: '/a.webp' }

test('a new course opens whichever lesson is first, unless another or none is chosen', () => {
  expect(previewOf(NO_VALUES)).toBe('')
  expect(previewOf({ ...NO_VALUES, lessons: [7, 5] })).toBe(7)
  expect(previewOf({ freePreview: 5, lessons: [7, 5] })).toBe(5)
  expect(previewOf({ freePreview: '', lessons: [7, 5] })).toBe('')
})

test.each([
  { freePreview: 'first', restored: 'first' },
  { freePreview: 5, restored: 5 },
  { freePreview: 6, restored: '' },
  { freePreview: '', restored: '' },
] as const)('a draft with the preview $freePreview', ({ freePreview, restored }) => {
  const draft = { title: '', description: '', lessons: [5, 6], freePreview }
  const stored = { ...draft, draftId: '', version: 0, paper: null, picture: null }
  const choices = [{ ...LESSON, id: 5, counts: true }]
  expect(valuesOfDraft(stored, choices)).toMatchObject({ lessons: [5], freePreview: restored })
})

test('a draft whose fields have other shapes leaves them empty', () => {
  const draft: object = { title: 7, lessons: { 5: true }, freePreview: null, more: 1 }
  expect(valuesOfDraft(draft as never, [])).toEqual(NO_VALUES)
})
