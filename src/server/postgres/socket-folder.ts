import { createHash } from 'node:crypto'
import { chmodSync, chownSync, lstatSync, mkdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Account, canReach } from './account.ts'

const maxSocketPath = 107
const shared = '/tmp/sauce-'
const socketName = '/.s.PGSQL.5432'

/** Returns the folder for the socket: next to the data, or below /tmp if that path is too long for a socket or unreachable for `account`. */
export function socketFolderFor(folder: string, account: Account): string {
  const near = join(folder, 'run')
  if (near.length + socketName.length <= maxSocketPath && canReach(folder, account)) return near
  return `${shared}${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`
}

/** Creates the folder, accessible to `account` only. Throws if another user has already created it, because everyone can write to /tmp. */
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
        `${path} is needed for the database socket, but it is not a private folder of user ${owner}. Remove it or set a DATA_DIR with a shorter path.`,
      )
    }
  }
}

/** Removes a socket folder below /tmp. One next to the data is kept. */
export function removeSocketFolder(path: string): void {
  if (!path.startsWith(shared)) return
  try {
    rmdirSync(path)
  } catch {
    // The folder is not empty or already removed. `prepareSocketFolder` checks it before the next start.
  }
}
