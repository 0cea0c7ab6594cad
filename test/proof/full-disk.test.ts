// A full disk: writes get 503, cached responses are served, no acknowledged write is lost, and writes work again once there is space.
import { spawnSync } from 'node:child_process'
import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  expectAllKept,
  expectRecovery,
  expectRefusals,
  startWriting,
  type Writer,
} from '../harness/resource-shortage.ts'
import { dataFolder } from '../harness/running-app.ts'

const rounds = Number(process.env.FULL_DISKS ?? 1)
const data = dataFolder()
/** Whether a small tmpfs could be mounted, which needs root. */
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=200m,mode=711', 'tmpfs', data.path]).status === 0
if (!isMounted) console.log('The full-disk test is skipped: only root can mount a small file system.')

describe.runIf(isMounted)('on a small disk that fills up', () => {
  let writer: Writer
  beforeAll(async () => {
    writer = await startWriting(data.path)
  }, 60_000)
  afterAll(async () => {
    await writer?.app.stop()
    spawnSync('umount', ['--lazy', data.path])
    data.remove()
  }, 60_000)

  const filler = join(data.path, 'filler')
  function fill(): void {
    const file = openSync(filler, 'w')
    const block = Buffer.alloc(64 * 1024, 1)
    try {
      for (;;) writeSync(file, block)
    } catch (error) {
      expect(error).toMatchObject({ code: 'ENOSPC' })
    } finally {
      closeSync(file)
    }
    expect(statfsSync(data.path).bavail).toBeLessThan(16)
  }

  test(
    `${rounds} times, writes are refused as during a database outage and work again once there is space`,
    async () => {
      for (let round = 0; round < rounds; round++) {
        fill()
        await expectRefusals(writer)
        rmSync(filler)
        await expectRecovery(writer)
      }
      await expectAllKept(writer, data.path)
    },
    120_000 + rounds * 120_000,
  )
})
