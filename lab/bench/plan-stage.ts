/** What the steps of a walk through the product have at hand. */
import type { BenchDatabase } from './database.ts'

/** Who calls: the number of a seeded person, or a bearer of their own. */
export type Teller = number | Known

export interface Known {
  readonly bearer: string
  readonly cookie: string
}

export interface Told {
  readonly status: number
  /** Parsed JSON; what is read of it each step knows, as it knows its call. */
  readonly body: Record<string, unknown>
  readonly cookie: string
}

export interface Stage {
  readonly database: BenchDatabase
  readonly lessons: number
  readonly users: number
  /**
   * Sends a request as somebody, or as a guest (null), with JSON or a form. An answer of another status than is given,
   * without one any from 400 on, is noted as failed.
   */
  readonly tell: (as: Teller | null, call: string, body?: unknown, status?: number) => Promise<Told>
  readonly idOf: (person: number) => string
  /** What a seeded person sends to be known. */
  readonly signIn: (person: number) => Promise<Known>
  /** Where the product is. */
  readonly origin: string
}

/** A number of an answer; 0 where it has none. */
export const numberIn = (told: Told, field: string): number => Number(told.body[field] ?? 0)
