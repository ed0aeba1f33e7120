import { ROWS_PER_PAGE } from '#contract/limits.ts'

/** At least 1. */
export const pagesOf = (count: number): number => Math.max(1, Math.ceil(count / ROWS_PER_PAGE))
