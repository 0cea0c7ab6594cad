import { writeFileSync } from 'node:fs'

export type Part = { passed: number; failed: number; messages: string[] }

/** Tells `npm run torture` how a run of it went that is no test file; without one, nobody is told. */
export function notePart(part: Part): void {
  const file = process.env.TORTURE_PART
  if (file) writeFileSync(file, JSON.stringify(part))
}
