/** Where the texts lie that the model is made of, and those by which it is measured. */
import { join } from 'node:path'

export const TEXTS = join(import.meta.dirname, 'texts')
export const EVALUATION = join(import.meta.dirname, 'evaluation')
