/**
 * Pieces: parts of pages that stand on them many times, such as a card or a comment. On the server they are written past
 * React, which takes several times as long; in the browser a piece is nothing but its component.
 */
import { type ComponentType, createContext, createElement, type ReactElement, use } from 'react'
import { type Texts, withTexts } from '#web/core/i18n.tsx'
import { createWriter } from '#web/core/router/write-html.ts'

/** Notes the pieces of one page while it is rendered; each leaves a mark in the page's HTML. */
export interface PieceCollector {
  /** Answers the piece's number. */
  take(piece: ReactElement): number
  /**
   * The page's HTML with its pieces in place of their marks.
   *
   * @param html of the page, with the marks
   * @throws Error for what can't be written past React, such as a hook
   */
  fill(html: string): string
}

/** Where pieces are noted; null where each is rendered in its place. */
export const PieceContext = createContext<PieceCollector | null>(null)

const MARK = /<kb-piece id="(\d+)"><\/kb-piece>/g
/** Hints for pictures that are not lazy, which React writes in front of everything. */
const HINTS = /^(?:<link rel="preload"[^>]*>)+/

/**
 * Makes a component a piece. What it shows must follow from its props and the language alone: it uses no hooks but
 * `useText` and those that are none on the server. It is an element, not a bare text.
 */
export function piece<Props extends object>(Component: ComponentType<Props>): ComponentType<Props> {
  if (!import.meta.env.SSR) return Component
  return function Piece(props: Props) {
    const made = createElement(Component, props)
    const id = use(PieceContext)?.take(made)
    return id === undefined ? made : createElement('kb-piece', { id })
  }
}

/** A collector for one page. @param texts of the page's language, in which pieces are written */
export function collectPieces(texts: Texts): PieceCollector {
  const taken: ReactElement[] = []
  return {
    take: (made) => taken.push(made) - 1,
    fill: (page) => {
      const own = HINTS.exec(page)?.[0] ?? ''
      const { write, hints } = createWriter(own.match(/<[^>]+>/g) ?? [])
      const body = withTexts(texts, () =>
        page.slice(own.length).replaceAll(MARK, (_, id: string) => write(taken[Number(id)])),
      )
      return [...hints, body].join('')
    },
  }
}
