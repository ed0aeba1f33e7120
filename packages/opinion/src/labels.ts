/** The labels that the model weighs; UNKNOWN is said when there is nothing to weigh. */
export const LABELS = ['POSITIVE', 'NEUTRAL', 'NEGATIVE', 'TOXIC'] as const
export type Spoken = (typeof LABELS)[number]
export type Label = Spoken | 'UNKNOWN'
