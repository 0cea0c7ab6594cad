import { spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type Account, handOver, ownName } from './account.ts'

/** The role the app works as: owner of its database, no superuser. */
export const appRole = 'sauce'
/** The role for backups and repairs. */
export const adminRole = 'postgres'

/**
 * How every program of PostgreSQL is started: in the cluster's folder, which it is told to find as its working directory.
 * The folder is entered before the rights of root are given up, so it may lie below one that only root can pass (root's home).
 * Nothing of our environment goes along: it may hold secrets.
 */
export const runningIn = (cluster: string, account: Account) => ({
  cwd: cluster,
  ...account,
  env: { LC_ALL: 'C.UTF-8', PATH: '/usr/local/bin:/usr/bin:/bin' },
})
export const here = '/proc/self/cwd'

/** Whether a cluster lies in the folder; an empty folder (a fresh mount) is none. Throws on a major version other than `major`. */
export function clusterExists(cluster: string, major: string): boolean {
  if (!existsSync(cluster) || readdirSync(cluster).length === 0) return false
  const versionFile = join(cluster, 'PG_VERSION')
  if (!existsSync(versionFile))
    throw new Error(
      `${cluster} holds something, but no PostgreSQL data. Point DATA_DIR somewhere else or move it away.`,
    )
  const found = readFileSync(versionFile, 'utf8').trim()
  if (found !== major) {
    throw new Error(
      `The data in ${cluster} were written by PostgreSQL ${found}, this release brings PostgreSQL ${major}, and nothing was changed. Start it with the release that wrote it, or serve it with PostgreSQL ${found} and set DATABASE_URL.`,
    )
  }
  return true
}

/** Makes the cluster, the app's role and its database beside `cluster` and moves them there whole: a killed attempt leaves nothing half-made. */
export async function createCluster(
  cluster: string,
  native: string,
  account: Account,
  durable: boolean,
): Promise<void> {
  const unfinished = `${cluster}.new`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { mode: 0o700 })
  if (account) chownSync(unfinished, account.uid, account.gid)
  const locale = ['--encoding=UTF8', '--locale=C.UTF-8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const options = [
    '-D',
    here,
    '-U',
    adminRole,
    '--auth=peer',
    '--data-checksums',
    '--no-instructions',
    ...locale,
    ...(durable ? [] : ['--no-sync']),
  ]
  await run(join(native, 'bin/initdb'), options, unfinished, account)
  const single = ['--single', '-D', here, '-c', 'exit_on_error=on', ...(durable ? [] : ['-c', 'fsync=off']), adminRole]
  await run(
    join(native, 'bin/postgres'),
    single,
    unfinished,
    account,
    `create role ${appRole} login\ncreate database ${appRole} owner ${appRole}\n`,
  )
  renameSync(unfinished, cluster)
  const parent = openSync(dirname(cluster), 'r')
  fsyncSync(parent)
  closeSync(parent)
}

/** Data copied back from a backup may belong to root and be open to all; PostgreSQL wants to own them, alone. */
export function claimCluster(cluster: string, account: Account): void {
  const { mode, uid } = statSync(cluster)
  if ((mode & 0o027) !== 0) chmodSync(cluster, 0o700)
  if (account && uid === 0) handOver(cluster, account)
}

/**
 * Only this app's account and root may log in, whoever else could reach the socket: the kernel tells PostgreSQL who is asking.
 * Written before each start, since the app may run under another account than last time.
 */
export function writeAccessRules(cluster: string): void {
  const people = new Set([ownName(), 'root'])
  const map = [...people].flatMap((name) => [adminRole, appRole].map((role) => `app "${name}" ${role}\n`))
  overwrite(join(cluster, 'pg_hba.conf'), 'local all all peer map=app\n')
  overwrite(join(cluster, 'pg_ident.conf'), map.join(''))
}

/** The folder belongs to a lesser account: root must not follow a link that was planted there. */
function overwrite(path: string, content: string): void {
  const file = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW, 0o644)
  writeSync(file, content)
  closeSync(file)
}

async function run(command: string, options: string[], cluster: string, account: Account, input = ''): Promise<void> {
  const child = spawn(command, options, { ...runningIn(cluster, account), stdio: 'pipe' })
  const failed = (cause: Error) =>
    new Error(`${command} cannot be run (it needs a Linux with glibc): ${cause.message}`, { cause })
  const ended = new Promise<number | null>((resolve, reject) =>
    child.once('error', (error) => reject(failed(error))).once('close', resolve),
  )
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [status, out, complaints] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  if (status !== 0) throw new Error(`${command} failed: ${(complaints || out).trim().slice(-2000)}`)
}
