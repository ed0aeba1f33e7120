/** Folders of the training texts and of the held-out texts. */
import { join } from 'node:path'

export const TEXTS = join(import.meta.dirname, 'texts')
export const EVALUATION = join(import.meta.dirname, 'evaluation')
