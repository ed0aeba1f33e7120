const MOST_FRAMES = 120

/** Focuses a comment once it is rendered, which may take several frames. */
export function focusComment(id: number, frames = MOST_FRAMES): void {
  requestAnimationFrame(() => {
    const shown = document.querySelector<HTMLElement>(`#comment-${id}`)
    if (shown !== null) shown.focus({ preventScroll: true })
    else if (frames > 0) focusComment(id, frames - 1)
  })
}
