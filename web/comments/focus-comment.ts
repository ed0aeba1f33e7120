const MOST_FRAMES = 120

/** Gives a comment the focus; the page may take several frames to show what has come. */
export function focusComment(id: number, frames = MOST_FRAMES): void {
  requestAnimationFrame(() => {
    const shown = document.querySelector<HTMLElement>(`#comment-${id}`)
    if (shown !== null) shown.focus({ preventScroll: true })
    else if (frames > 0) focusComment(id, frames - 1)
  })
}
