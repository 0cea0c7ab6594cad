import { chownSync, lchownSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'

/** Whom PostgreSQL runs as. Undefined stands for the app's own account. */
export type Account = { uid: number; gid: number } | undefined

/**
 * PostgreSQL refuses to run as root, so root hands it to the owner of the existing data, else to `postgres`, else to `nobody`.
 * Throws when this is not root and the data belong to somebody else.
 */
export function accountFor(cluster: string): Account {
  const own = process.getuid!()
  const owner = statSync(cluster, { throwIfNoEntry: false })
  if (own !== 0) {
    if (owner && owner.uid !== own)
      throw new Error(
        `${cluster} belongs to user ${owner.uid}, this process runs as user ${own}. Run it as that user or as root.`,
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

/** The name of the account this process runs under, as the operating system tells PostgreSQL. */
export function ownName(): string {
  try {
    return userInfo().username
  } catch {
    throw new Error(
      `User ${process.getuid!()} has no name on this machine and PostgreSQL needs one: add it to /etc/passwd, or set DATABASE_URL.`,
    )
  }
}

/** Whether the account may go down every folder to `path`, and into it. */
export function canReach(path: string, account: Account): boolean {
  if (!account) return true
  if (!passes(path, account)) return false
  return path === '/' || canReach(dirname(path), account)
}

function passes(path: string, { uid, gid }: NonNullable<Account>): boolean {
  const { mode, uid: owner, gid: group } = statSync(path)
  const bit = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001
  return (mode & bit) !== 0
}

/** Gives a folder and all below it to the account. */
export function handOver(folder: string, account: Account): void {
  if (!account) return
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) handOver(path, account)
    else lchownSync(path, account.uid, account.gid)
  }
  chownSync(folder, account.uid, account.gid)
}
