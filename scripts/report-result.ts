import { writeFileSync } from 'node:fs'

export type PartResult = { passed: number; failed: number; messages: string[] }

/** Reports the result of a script to `npm run torture`, if that started it (TORTURE_PART is the file to write). */
export function reportResult(result: PartResult): void {
  const file = process.env.TORTURE_PART
  if (file) writeFileSync(file, JSON.stringify(result))
}
