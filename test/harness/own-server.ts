import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Address } from '#server/db/connect.ts'
import { startEmbedded } from '#server/postgres/embedded.ts'
import { copyCluster } from './cluster-template.ts'
import { fakedServerClock } from './faked-clock.ts'
import { dataFolder } from './running-app.ts'
import { silentLog } from './silent-log.ts'

/** A database server for a single test, which may stop or freeze it. Unlike the shared server, it syncs writes to the disk. */
export type OwnServer = {
  address: Exclude<Address, string>
  /** `pg_ctl stop -m immediate`: clients get no notice, and nothing more is written. */
  crash: () => Promise<void>
  start: () => Promise<void>
  /** Stops every process of the server with SIGSTOP; the kernel still accepts connections for them. */
  freeze: () => void
  thaw: () => void
  remove: () => Promise<void>
}

/** Starts a database server in a new folder. */
export async function ownServer(): Promise<OwnServer> {
  const data = dataFolder()
  await copyCluster(data.path)
  let embedded = await startEmbedded({ dataDir: data.path, log: silentLog, env: fakedServerClock })
  const postmaster = () => Number(readFileSync(join(data.path, 'postgres/postmaster.pid'), 'utf8').split('\n', 1)[0])
  let frozen: number[] = []
  const thaw = () => {
    for (const pid of frozen.splice(0)) process.kill(pid, 'SIGCONT')
  }
  return {
    address: embedded.connection,
    crash: async () => {
      process.kill(postmaster(), 'SIGQUIT')
      await embedded.stop()
    },
    start: async () => {
      embedded = await startEmbedded({ dataDir: data.path, log: silentLog, env: fakedServerClock })
    },
    freeze: () => {
      const first = postmaster()
      process.kill(first, 'SIGSTOP')
      frozen = [first, ...childrenOf(first)]
      for (const pid of frozen) process.kill(pid, 'SIGSTOP')
    },
    thaw,
    remove: async () => {
      thaw()
      await embedded.stop()
      data.remove()
    },
  }
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        // The process name before the parent's id is in parentheses and may contain spaces.
        return pid > 0 && Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')[1]) === parent
      } catch {
        return false
      }
    })
}
