import { chmodSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPostmaster, shutDown } from '#server/postgres/postmaster.ts'
import { identityOf, isAlive } from '#server/postgres/process-identity.ts'
import { memoryFolder } from './memory-folder.ts'

const prefix = 'sauce-test-'
/** In memory if there is enough space. Browser tests do not set TMPDIR, because Playwright keeps its compiled tests there for the next run. */
const parent = process.env.TMPDIR ?? memoryFolder() ?? tmpdir()

/** Creates a folder that the user account of the database may enter. Its name contains the identity of this process, for `removeAbandonedFolders`. */
export function createTestFolder(): string {
  const path = mkdtempSync(join(parent, `${prefix}${identityOf(process.pid)}-`))
  chmodSync(path, 0o711)
  return path
}

/** Removes the folders that processes have left behind, for example killed runs, and stops the database servers in them. */
export async function removeAbandonedFolders(): Promise<void> {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(prefix) || isAlive(name.slice(prefix.length).split('-').slice(0, 3).join('-'))) continue
    const folder = join(parent, name)
    if (lstatSync(folder).uid !== process.getuid!()) continue
    const left = findPostmaster(join(folder, 'postgres'))
    if (left) await shutDown(left, 10_000)
    rmSync(folder, { recursive: true, force: true })
  }
}
