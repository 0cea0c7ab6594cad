// A database without memory: failed requests get 503, cached responses are served, no acknowledged write is lost, and the app recovers without a restart.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, test } from 'vitest'
import {
  expectAllKept,
  expectRecovery,
  expectRefusals,
  startWriting,
  type Writer,
} from '../harness/resource-shortage.ts'
import { dataFolder } from '../harness/running-app.ts'

const rounds = Number(process.env.NO_MEMORY ?? 1)
const canLimit = spawnSync('prlimit', ['--version']).status === 0
const data = dataFolder()
let writer: Writer
beforeAll(async () => {
  writer = await startWriting(data.path)
}, 60_000)
afterAll(async () => {
  await writer?.app.stop()
  data.remove()
}, 30_000)

type Process = { pid: number; kilobytes: number; title: string }
/** The postmaster and its child processes. */
function processes(): Process[] {
  const postmaster = Number(readFileSync(join(data.path, 'postgres/postmaster.pid'), 'utf8').split('\n', 1)[0])
  return readdirSync('/proc').flatMap((name) => {
    try {
      const status = readFileSync(`/proc/${Number(name)}/status`, 'utf8')
      const isDatabase = Number(name) === postmaster || Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]) === postmaster
      const kilobytes = Number(/^VmSize:\s+(\d+)/m.exec(status)?.[1])
      return isDatabase && kilobytes
        ? [{ pid: Number(name), kilobytes, title: readFileSync(`/proc/${name}/cmdline`, 'utf8') }]
        : []
    } catch {
      return [] // The process exited since the folder was listed.
    }
  })
}
/** Sets the memory limit of a process as its own account: in some containers not even root may change the limits of other accounts. */
function setMemoryLimit({ pid }: Process, bytes: string): void {
  const { uid, gid } = statSync(join(data.path, 'postgres/postmaster.pid'))
  const { status, stderr } = spawnSync('prlimit', ['--pid', String(pid), `--as=${bytes}:`], {
    uid,
    gid,
    encoding: 'utf8',
  })
  if (status !== 0 && existsSync(`/proc/${pid}`)) throw new Error(stderr)
}
/** Limits each process to the memory that it uses now, and ends the backends of the app; new ones get no memory. */
function takeMemory(): void {
  for (const each of processes()) setMemoryLimit(each, String(each.kilobytes * 1024))
  for (const { pid, title } of processes())
    if (title.startsWith('postgres: sauce: sauce ')) process.kill(pid, 'SIGTERM')
}
function giveMemory(): void {
  for (const each of processes()) setMemoryLimit(each, 'unlimited')
}

test.runIf(canLimit)(
  `${rounds} times without memory: writes are refused as during a database outage and work again once there is memory`,
  async () => {
    for (let round = 0; round < rounds; round++) {
      takeMemory()
      await expectRefusals(writer)
      giveMemory()
      await expectRecovery(writer)
    }
    await expectAllKept(writer, data.path)
  },
  60_000 + rounds * 120_000,
)
