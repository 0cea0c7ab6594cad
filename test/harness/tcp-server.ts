import { chmodSync, cpSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { accountFor, changeOwner } from '#server/postgres/account.ts'
import { runnableBinaries, shippedPostgres } from '#server/postgres/binaries.ts'
import { launch, logSince, type Postmaster, shutDown } from '#server/postgres/postmaster.ts'
import { isAlive, pidOf } from '#server/postgres/process-identity.ts'
import { prepareSocketFolder, removeSocketFolder, socketFolderFor } from '#server/postgres/socket-folder.ts'
import { copyCluster } from './cluster-template.ts'
import { dataFolder, freePort } from './running-app.ts'

/** A PostgreSQL server with a migrated database that listens on TCP like an external one, without passwords and on this machine only. */
export type TcpServer = {
  url: string
  port: number
  cluster: string
  /** Connects as superuser; the caller closes the connection. */
  superuser: () => Promise<pg.Client>
  kill: () => void
  stop: () => Promise<void>
}

/** Starts a server that listens on the comma-separated addresses `host`, one of which is 127.0.0.1. With `follows` it is a streaming replica of that server. */
export async function tcpServer({
  host = '127.0.0.1',
  follows,
}: {
  host?: string
  follows?: TcpServer
} = {}): Promise<TcpServer> {
  const data = dataFolder()
  const folder = realpathSync(data.path)
  const cluster = join(folder, 'postgres')
  const account = accountFor(cluster)
  const native = runnableBinaries(shippedPostgres(), folder, account)
  if (follows) await copyOf(follows, cluster)
  else await copyCluster(folder)
  writeFileSync(
    join(cluster, 'pg_hba.conf'),
    'local all all trust\nhost all all all trust\nhost replication all all trust\n',
  )
  chmodSync(cluster, 0o700)
  changeOwner(cluster, account)
  const socketFolder = socketFolderFor(folder, account)
  prepareSocketFolder(socketFolder, account)
  const port = await freePort()
  const settings = {
    listen_addresses: host,
    port: String(port),
    fsync: 'off',
    max_connections: '150',
    wal_level: 'replica',
    wal_keep_size: '256MB',
  }
  const following: Record<string, string> = follows
    ? { primary_conninfo: `host=127.0.0.1 port=${follows.port} user=postgres` }
    : {}
  const logFile = join(folder, 'postgres.log')
  const identity = await launch({
    cluster,
    native,
    account,
    socketFolder,
    logFile,
    settings: { ...settings, ...following },
  })
  const superuser = async () => {
    const client = new pg.Client({ host: socketFolder, port, user: 'postgres', database: 'postgres' })
    client.on('error', () => {})
    await client.connect()
    return client
  }
  for (let tries = 0; ; tries++) {
    const client = await superuser().catch(() => undefined)
    if (client) {
      await client.end()
      break
    }
    if (!isAlive(identity) || tries > 600) throw new Error(`PostgreSQL did not start:\n${logSince(logFile, 0)}`)
    await sleep(50)
  }
  const running: Postmaster = { identity, socketFolder, port }
  return {
    url: `postgres://sauce@127.0.0.1:${port}/sauce`,
    port,
    cluster,
    superuser,
    kill: () => process.kill(pidOf(identity), 'SIGQUIT'),
    stop: async () => {
      await shutDown(running, 20_000)
      removeSocketFolder(socketFolder)
      rmSync(data.path, { recursive: true, force: true })
    },
  }
}

/** Takes a base backup with the low-level API, because pg_basebackup is not shipped with the product. */
async function copyOf(primary: TcpServer, cluster: string): Promise<void> {
  const client = await primary.superuser()
  try {
    await client.query("select pg_backup_start('a replica', fast => true)")
    const left = ['postmaster.pid', 'postmaster.opts', 'pg_replslot']
    cpSync(primary.cluster, cluster, { recursive: true, filter: (path) => !left.includes(basename(path)) })
    cpSync(join(primary.cluster, 'pg_replslot'), join(cluster, 'pg_replslot'), { recursive: true })
    const { rows } = await client.query('select labelfile from pg_backup_stop(wait_for_archive => false)')
    writeFileSync(join(cluster, 'backup_label'), rows[0].labelfile)
    writeFileSync(join(cluster, 'standby.signal'), '')
  } finally {
    await client.end()
  }
}
