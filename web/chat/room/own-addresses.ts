/** Addresses of lessons and courses of this site in what people write. */

/** A piece of a text: words as they are, or the address of a page of ours. */
export type Piece = string | { readonly address: string; readonly path: string }

const ITEM = /^\/(?:lesson|course)\/details\/[1-9]\d{0,14}(?:\/[1-9]\d{0,14})?(?![\w/-])/

/**
 * Cuts a text at the addresses of items of this site; everything else stays words, other sites' addresses too: nobody
 * is led away by what a stranger wrote.
 * @param origin of this site, such as `https://bazaar.example`
 */
export function piecesOf(text: string, origin: string): readonly Piece[] {
  const pieces: Piece[] = []
  let said = 0
  let from = text.indexOf(origin)
  while (origin !== '' && from >= 0) {
    const path = ITEM.exec(text.slice(from + origin.length))?.[0]
    const end = from + origin.length + (path?.length ?? 0)
    if (path !== undefined) {
      if (from > said) pieces.push(text.slice(said, from))
      pieces.push({ address: text.slice(from, end), path })
      said = end
    }
    from = text.indexOf(origin, end)
  }
  if (said < text.length) pieces.push(text.slice(said))
  return pieces
}
