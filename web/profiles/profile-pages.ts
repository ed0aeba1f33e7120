import { ROWS_PER_PAGE } from '#contract/limits.ts'

/** Pages that so many rows fill, at least one. */
export const pagesOf = (count: number): number => Math.max(1, Math.ceil(count / ROWS_PER_PAGE))
