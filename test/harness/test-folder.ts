import { chmodSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPostmaster, shutDown } from '#server/postgres/postmaster.ts'
import { identityOf, isAlive } from '#server/postgres/process-identity.ts'

const prefix = 'sauce-test-'

/** Creates a folder that the database's own account may enter. It is named after this process, for `removeAbandonedFolders`. */
export function createTestFolder(): string {
  const path = mkdtempSync(join(tmpdir(), `${prefix}${identityOf(process.pid)}-`))
  chmodSync(path, 0o711)
  return path
}

/** Removes the folders that ended processes left, for example killed runs, and stops the database servers in them. */
export async function removeAbandonedFolders(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(prefix) || isAlive(name.slice(prefix.length).split('-').slice(0, 3).join('-'))) continue
    const folder = join(tmpdir(), name)
    if (lstatSync(folder).uid !== process.getuid!()) continue
    const left = findPostmaster(join(folder, 'postgres'))
    if (left) await shutDown(left, 10_000)
    rmSync(folder, { recursive: true, force: true })
  }
}
