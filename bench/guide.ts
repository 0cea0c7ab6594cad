// Reads a large XMLTV file into a new database twice, and measures time, processor time and memory of the process with its worker thread. Another process sends
// the file. The second time, no row is written. Run: npm run bench guide

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, statSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { pino } from 'pino'
import type { Ingested } from '#features/guide/server/ingest/ingest.ts'
import { ingestInWorker } from '#features/guide/server/ingest/ingest-in-worker.ts'
import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/db/open.ts'
import { dataFolder } from '../test/harness/running-app.ts'

const megabytes = Number(process.env.BENCH_MEGABYTES ?? 400)
const channels = Number(process.env.BENCH_CHANNELS ?? 3_000)
const days = 8
const goals = { seconds: megabytes / 5, cpuSeconds: megabytes / 25, memoryMb: 160 }
/** A goal may be exceeded by a tenth, because other programs on the machine affect the figures. */
const noise = 1.1

const data = dataFolder()
const file = join(data.path, 'guide.xml')
const config = readConfig({ DATA_DIR: data.path })
const database = await openDatabase(config, pino({ level: 'warn' }), join(import.meta.dirname, '../migrations'))
const server = spawn(process.execPath, [join(import.meta.dirname, 'file-server.js'), file, 'application/xml'], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const port = String(((await once(server.stdout, 'data')) as [Buffer])[0]).trim()
  await writeGuide()
  console.log(`${Math.round(statSync(file).size / 1e6)} MB of XMLTV, ${channels} channels, ${days} days`)
  const address = `http://127.0.0.1:${port}/guide.xml`
  const sourceId = await insertLineup()
  const first = await measured(sourceId, address)
  const again = await measured(sourceId, address)
  for (const [name, { seconds, cpu, memory, ingested }] of Object.entries({ first, again }))
    console.log(
      `${name}: ${ingested.programs} programs in ${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s of processor time, ${memory.toFixed(0)} MB more memory, ${ingested.written} rows written, ${ingested.removed} removed`,
    )
  const isMet =
    again.ingested.written === 0 &&
    [first, again].every(
      ({ seconds, cpu, memory }) =>
        seconds <= goals.seconds * noise && cpu <= goals.cpuSeconds * noise && memory <= goals.memoryMb * noise,
    )
  const isBusy = loadavg()[0]! > availableParallelism() + 1
  console.log(
    `goals: ${goals.seconds} s, ${goals.cpuSeconds} s of processor time, ${goals.memoryMb} MB, no rows written the second time`,
  )
  console.log(
    isMet
      ? 'Goal met.'
      : isBusy
        ? 'The machine was busy with other programs: the times are not valid.'
        : 'Goal missed.',
  )
  process.exitCode = isMet || (isBusy && again.ingested.written === 0) ? 0 : 1
} finally {
  server.kill()
  await database.close()
  data.remove()
}

/** Writes a file of about `megabytes`. All channels have the same number of programs, which fill `days` days. */
async function writeGuide(): Promise<void> {
  const stream = createWriteStream(file)
  const write = async (text: string) => {
    if (!stream.write(text)) await new Promise<void>((done) => stream.once('drain', () => done()))
  }
  const start = Math.floor(Date.now() / 3_600_000) * 3_600_000
  const perChannel = Math.round((megabytes * 1e6) / channels / 640)
  const minutes = Math.floor((days * 1_440) / perChannel)
  const time = (at: number) => `${new Date(at).toISOString().replaceAll(/\D/g, '').slice(0, 14)} +0000`
  await write('<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE tv SYSTEM "xmltv.dtd">\n<tv>\n')
  for (let channel = 0; channel < channels; channel++)
    await write(`<channel id="channel${channel}.example"><display-name>Channel ${channel}</display-name></channel>\n`)
  const description = 'A look at the harbor, its people &amp; its ships. '.repeat(7)
  for (let channel = 0; channel < channels; channel++) {
    let text = ''
    for (let n = 0; n < perChannel; n++) {
      const [from, to] = [start + n * minutes * 60_000, start + (n + 1) * minutes * 60_000]
      text += `<programme start="${time(from)}" stop="${time(to)}" channel="channel${channel}.example">
  <title lang="en">Program ${n} of ${channel}</title>
  <sub-title lang="en">Part ${n}</sub-title>
  <desc lang="en">${n} ${description}</desc>
  <category lang="en">Documentary</category>
</programme>
`
    }
    await write(text)
  }
  stream.end('</tv>\n')
  await finished(stream)
}

/** Inserts a lineup with the channel ids of the file, and a guide source. Returns the id of the source. */
async function insertLineup(): Promise<number> {
  const { pool } = database
  await pool.query(
    `insert into channels (name, category, logo) select 'Line ' || n, 'news', 'mark:L' from generate_series(0, ${channels - 1}) n`,
  )
  await pool.query(`insert into channel_streams (channel_id, epg_id)
    select id, 'channel' || row_number() over (order by id) - 1 || '.example' from channels`)
  const { rows } = await pool.query<{ id: number }>("insert into guide_sources (name) values ('Bench') returning id")
  return rows[0]!.id
}

async function measured(sourceId: number, address: string) {
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  let peak = before
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 50)
  const cpu = process.cpuUsage()
  const started = performance.now()
  const source = {
    kind: 'address' as const,
    address,
    etag: null,
    lastModified: null,
    userAgent: 'bench',
    allowPrivate: true,
    ownHosts: [],
  }
  const { connection } = database
  const ingested = await ingestInWorker(
    { sourceId, zone: 'UTC', connection, file: source },
    new AbortController().signal,
  )
  clearInterval(timer)
  const { user, system } = process.cpuUsage(cpu)
  return {
    seconds: (performance.now() - started) / 1_000,
    cpu: (user + system) / 1e6,
    memory: (peak - before) / 1e6,
    ingested: ingested as Ingested,
  }
}
