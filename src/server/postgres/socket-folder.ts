import { createHash } from 'node:crypto'
import { chmodSync, chownSync, lstatSync, mkdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Account, canReach } from './account.ts'

const longestSocketPath = 107
const shared = '/tmp/sauce-'
const socketName = '/.s.PGSQL.5432'

/** Where the socket goes: next to the data, or below /tmp when that path is too long for a socket or closed to `account`. */
export function socketFolderFor(folder: string, account: Account): string {
  const near = join(folder, 'run')
  if (near.length + socketName.length <= longestSocketPath && canReach(folder, account)) return near
  return `${shared}${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`
}

/** Makes the folder for `account` alone. Throws when somebody else got there first: /tmp is open to everybody. */
export function prepareSocketFolder(path: string, account: Account): void {
  try {
    mkdirSync(path, { mode: 0o700 })
    chmodSync(path, 0o700)
    if (account) chownSync(path, account.uid, account.gid)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const found = lstatSync(path)
    const owner = account?.uid ?? process.getuid!()
    if (!found.isDirectory() || found.uid !== owner || (found.mode & 0o077) !== 0) {
      throw new Error(
        `${path} is needed for the database's socket, but is not a folder of user ${owner} alone. Remove it, or choose a DATA_DIR with a shorter path.`,
      )
    }
  }
}

/** Tidies /tmp after the last app; next to the data the empty folder may stay. */
export function removeSocketFolder(path: string): void {
  if (!path.startsWith(shared)) return
  try {
    rmdirSync(path)
  } catch {
    // Not empty or already gone: it is looked at again before the next start.
  }
}
