import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder that everybody may enter and that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sauce-'))
  chmodSync(folder, 0o755)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
