/** The labels of the model. UNKNOWN means that there is nothing to judge. */
export const LABELS = ['POSITIVE', 'NEUTRAL', 'NEGATIVE', 'TOXIC'] as const
export type Spoken = (typeof LABELS)[number]
export type Label = Spoken | 'UNKNOWN'
