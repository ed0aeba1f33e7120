/** Where the model and the texts lie. */
import { join } from 'node:path'

/** What `npm run opinion:train` makes. */
export const MODEL_FILE = join(import.meta.dirname, 'model.bin')
export const TRAINING = join(import.meta.dirname, 'training')
export const EVALUATION = join(import.meta.dirname, 'evaluation')
