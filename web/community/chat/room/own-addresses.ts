export type Piece = string | { readonly address: string; readonly path: string }

const ITEM = /^\/(?:lesson|course)\/details\/[1-9]\d{0,14}(?:\/[1-9]\d{0,14})?(?![\w/-])/

/**
 * Splits a text at URLs of this site's lessons and courses. URLs of other sites stay text, so that strangers cannot
 * lead anybody away. `origin` is this site's, such as `https://bazaar.example`.
 */
export function piecesOf(text: string, origin: string): readonly Piece[] {
  const pieces: Piece[] = []
  let done = 0
  let from = text.indexOf(origin)
  while (origin !== '' && from >= 0) {
    const path = ITEM.exec(text.slice(from + origin.length))?.[0]
    const end = from + origin.length + (path?.length ?? 0)
    if (path !== undefined) {
      if (from > done) pieces.push(text.slice(done, from))
      pieces.push({ address: text.slice(from, end), path })
      done = end
    }
    from = text.indexOf(origin, end)
  }
  if (done < text.length) pieces.push(text.slice(done))
  return pieces
}
