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
import { type Account, changeOwner, currentAccountName } from './account.ts'

/** The role of the app. It owns its database and is not a superuser. */
export const appRole = 'sauce'
/** The superuser, for backups and repairs. */
export const adminRole = 'postgres'

/**
 * Spawn options for all PostgreSQL programs. The working directory is the cluster's folder and is passed as the data directory: it is
 * entered before root privileges are dropped, so it may be below a folder that only root can enter (root's home). The environment is not
 * inherited, because it may contain secrets.
 */
export const spawnOptions = (cluster: string, account: Account) => ({
  cwd: cluster,
  ...account,
  env: { LC_ALL: 'C.UTF-8', PATH: '/usr/local/bin:/usr/bin:/bin' },
})
export const dataFolderArgument = '/proc/self/cwd'

/** Whether the folder contains a cluster; false for an empty folder (a new mount). Throws for other content or another major version. */
export function clusterExists(cluster: string, major: string): boolean {
  if (!existsSync(cluster) || readdirSync(cluster).length === 0) return false
  const versionFile = join(cluster, 'PG_VERSION')
  if (!existsSync(versionFile))
    throw new Error(
      `${cluster} is not empty, but contains no PostgreSQL data. Set another DATA_DIR or move the content away.`,
    )
  const found = readFileSync(versionFile, 'utf8').trim()
  if (found !== major) {
    throw new Error(
      `The data in ${cluster} were written by PostgreSQL ${found}, but this release includes PostgreSQL ${major}. Nothing was changed. Start the release that wrote the data, or run PostgreSQL ${found} with it and set DATABASE_URL.`,
    )
  }
  return true
}

/** Creates the cluster, the app's role and database in a temporary folder, then renames it to `cluster`, so that a killed attempt leaves no partial cluster. */
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
    dataFolderArgument,
    '-U',
    adminRole,
    '--auth=peer',
    '--data-checksums',
    '--no-instructions',
    ...locale,
    ...(durable ? [] : ['--no-sync']),
  ]
  await run(join(native, 'bin/initdb'), options, unfinished, account)
  const single = [
    '--single',
    '-D',
    dataFolderArgument,
    '-c',
    'exit_on_error=on',
    ...(durable ? [] : ['-c', 'fsync=off']),
    adminRole,
  ]
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

/** Fixes owner and mode of the cluster's folder, for example after copying it as root: PostgreSQL requires exclusive access to it. */
export function claimCluster(cluster: string, account: Account): void {
  const { mode, uid } = statSync(cluster)
  if ((mode & 0o027) !== 0) chmodSync(cluster, 0o700)
  if (account && uid === 0) changeOwner(cluster, account)
}

/**
 * Writes the access rules: only this app's account and root may log in, by peer authentication. Written before each start, because the app may run as a
 * different account than before.
 */
export function writeAccessRules(cluster: string): void {
  const accounts = new Set([currentAccountName(), 'root'])
  const map = [...accounts].flatMap((name) => [adminRole, appRole].map((role) => `app "${name}" ${role}\n`))
  overwrite(join(cluster, 'pg_hba.conf'), 'local all all peer map=app\n')
  overwrite(join(cluster, 'pg_ident.conf'), map.join(''))
}

/** Overwrites a file without following symbolic links, because the folder belongs to an unprivileged account. */
function overwrite(path: string, content: string): void {
  const file = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW, 0o644)
  writeSync(file, content)
  closeSync(file)
}

async function run(command: string, options: string[], cluster: string, account: Account, input = ''): Promise<void> {
  const child = spawn(command, options, { ...spawnOptions(cluster, account), stdio: 'pipe' })
  const failed = (cause: Error) =>
    new Error(`${command} cannot be run (it needs Linux with glibc): ${cause.message}`, { cause })
  const ended = new Promise<number | null>((resolve, reject) =>
    child.once('error', (error) => reject(failed(error))).once('close', resolve),
  )
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [status, out, errors] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  if (status !== 0) throw new Error(`${command} failed: ${(errors || out).trim().slice(-2000)}`)
}
