/** One simulated person. Everything here is plain data, so that a checkpoint can store it. */
import type { Random } from '#contract/random.ts'
import type { World } from './world.ts'

export interface Agent {
  readonly place: number
  readonly kind: string
  /** The day on which they join. */
  readonly joins: number
  /** The product's id; empty before they join. */
  id: string
  /** Their published lessons, oldest first, and those of them that are in no course yet. */
  lessons: number[]
  loose: number[]
  unlocked: number[]
  firstUnlock: number | null
  wishes: number
  met: number
  /** Numbers that the kind stores from day to day. */
  memory: Record<string, number>
}

/** A kind of person. Its file lists what such people do on one day; all numbers are assumptions. */
export interface Kind {
  readonly name: string
  /** People of this kind among 10,000. */
  readonly of10000: number
  /** Reasons of ledger entries by which this kind farms points. Empty for honest people. */
  readonly farms: readonly string[]
  readonly act: (agent: Agent, world: World, random: Random) => Promise<void>
}

/** True on average once in `days` days. */
export const onceIn = (days: number, random: Random) => random() * days < 1
