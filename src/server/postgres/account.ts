import { chownSync, lchownSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'

/** The account PostgreSQL runs as. Undefined means the app's own account. */
export type Account = { uid: number; gid: number } | undefined

/**
 * Chooses the account for PostgreSQL, which refuses to run as root: for root it is the owner of the existing data, else `postgres`, else
 * `nobody`. Throws if this process is not root and the data belong to another user.
 */
export function accountFor(cluster: string): Account {
  const own = process.getuid!()
  const owner = statSync(cluster, { throwIfNoEntry: false })
  if (own !== 0) {
    if (owner && owner.uid !== own)
      throw new Error(
        `${cluster} belongs to user ${owner.uid}, but this process runs as user ${own}. Run it as that user or as root.`,
      )
    return undefined
  }
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const found = accounts.find(([name]) => name === 'postgres') ?? accounts.find(([name]) => name === 'nobody')
  if (!found)
    throw new Error(
      'PostgreSQL does not run as root, and this machine has neither an account "postgres" nor "nobody". Create one, run as another user, or set DATABASE_URL.',
    )
  return { uid: Number(found[2]), gid: Number(found[3]) }
}

/** Returns the name of the account this process runs as, which PostgreSQL's peer authentication checks. Throws if the account has no name. */
export function currentAccountName(): string {
  try {
    return userInfo().username
  } catch {
    throw new Error(
      `User ${process.getuid!()} has no name on this machine, but PostgreSQL needs one. Add it to /etc/passwd or set DATABASE_URL.`,
    )
  }
}

/** Whether the account may enter `path` and every folder above it. */
export function canReach(path: string, account: Account): boolean {
  if (!account) return true
  if (!mayEnter(path, account)) return false
  return path === '/' || canReach(dirname(path), account)
}

function mayEnter(path: string, { uid, gid }: NonNullable<Account>): boolean {
  const { mode, uid: owner, gid: group } = statSync(path)
  const bit = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001
  return (mode & bit) !== 0
}

/** Changes the owner of a folder and everything in it to the account. */
export function changeOwner(folder: string, account: Account): void {
  if (!account) return
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) changeOwner(path, account)
    else lchownSync(path, account.uid, account.gid)
  }
  chownSync(folder, account.uid, account.gid)
}
