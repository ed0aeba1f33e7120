export interface ItemPart {
  readonly name: string
  readonly state: PartState
}
type PartState = 'done' | 'todo' | 'refused'

export function partState(isThere: boolean, error: string | undefined): PartState {
  if (error !== undefined) return 'refused'
  return isThere ? 'done' : 'todo'
}
