/**
 * Pieces: parts of pages that look the same to everybody who is shown the same, such as a card or a comment. The server
 * renders a piece once for what it shows and takes its HTML from memory afterwards; in the browser a piece is nothing
 * but its component.
 */
import {
  type ComponentType,
  createContext,
  createElement,
  type ReactElement,
  type ReactNode,
  use,
} from 'react'
import type { Locale } from '#contract/messages/messages.ts'
import type { PieceCache } from '#contract/render.ts'

/** Notes the pieces of one page while it is rendered; each leaves a mark in the page's HTML. */
export interface PieceCollector {
  /** Answers the piece's number. `make` gives its element, should it have to be rendered. */
  take(name: string, props: object, make: () => ReactElement): number
  /**
   * The page's HTML with its pieces in place of their marks.
   *
   * @param html of the page, with the marks
   * @param render a piece to HTML; it is asked for those that are not cached
   */
  fill(html: string, render: (piece: ReactNode) => string): string
}

/** Where pieces are noted; null where each is rendered in its place. */
export const PieceContext = createContext<PieceCollector | null>(null)

const MARK = /<kb-piece id="(\d+)"><\/kb-piece>/g
/** Hints for pictures that are not lazy, which React writes in front of everything. */
const HINTS = /^(?:<link rel="preload"[^>]*>)+/

/**
 * Makes a component a piece. What it shows must follow from its props and the language alone: it asks for no session
 * and no address, and writes no `useId`. Its props are plain data; of a function counts only whether it is there.
 *
 * @param name of the component, unlike that of every other piece
 */
export function piece<Props extends object>(
  name: string,
  Component: ComponentType<Props>,
): ComponentType<Props> {
  if (!import.meta.env.SSR) return Component
  return function Piece(props: Props) {
    const make = () => createElement(Component, props)
    const id = use(PieceContext)?.take(name, props, make)
    return id === undefined ? make() : createElement('kb-piece', { id })
  }
}

/** A collector for one page. @param cache shared by all pages */
export function collectPieces(cache: PieceCache, locale: Locale): PieceCollector {
  const taken: { key: string; make: () => ReactElement }[] = []
  return {
    take: (name, props, make) => taken.push({ key: `${locale} ${name} ${keyOf(props)}`, make }) - 1,
    fill: (html, render) => {
      const shown = taken.map(({ key, make }) => {
        const known = cache.get(key)
        if (known !== undefined) return known
        const made = render(<PieceContext value={null}>{make()}</PieceContext>)
        cache.set(key, made)
        return made
      })
      const hints = new Set([html, ...shown].flatMap(hintsOf))
      const bare = shown.map(withoutHints)
      const whole = withoutHints(html).replaceAll(MARK, (_, id: string) => bare[Number(id)] ?? '')
      return [...hints, whole].join('')
    },
  }
}

const hintsOf = (html: string): string[] => HINTS.exec(html)?.[0].match(/<[^>]+>/g) ?? []
const withoutHints = (html: string): string => html.replace(HINTS, '')

const keyOf = (props: object): string =>
  JSON.stringify(props, (_, value: unknown) => (typeof value === 'function' ? true : value))
