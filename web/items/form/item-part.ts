/** The parts of an item that its form still asks for. */

/** Something that the item must have. */
export interface ItemPart {
  /** Translated. */
  readonly name: string
  readonly state: PartState
}
type PartState = 'done' | 'todo' | 'refused'

/** `error`: what its field says is wrong, if anything. */
export function partState(isThere: boolean, error: string | undefined): PartState {
  if (error !== undefined) return 'refused'
  return isThere ? 'done' : 'todo'
}
