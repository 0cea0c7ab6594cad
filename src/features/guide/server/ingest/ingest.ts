import pg from 'pg'
import { limits } from '#server/limits.ts'
import { idKey, nameKey } from '../../match-rules.ts'
import { offsetsOf } from '../../time-rules.ts'
import { readLineup } from '../match/match-source.ts'
import { GuideFailure } from './guide-failure.ts'
import { type Merged, merge, type StagedChannel } from './merge.ts'
import { type FileSource, openFile } from './open-file.ts'
import { copyOf, XmltvReader } from './read-xmltv.ts'
import { Stage } from './stage.ts'
import { type Bytes, decode, unpack } from './unpack.ts'

/** What the worker thread needs to read a source. It must survive structured clone. */
export type IngestJob = { sourceId: number; zone: string; connection: pg.ClientConfig; file: FileSource }
export type Ingested = Merged & {
  /** The size of the file in bytes, as received and before it is unpacked. */
  bytes: number
  /** The number of programs in the file. */
  programs: number
  /** Whether the file was not cut off. */
  isComplete: boolean
  etag: string | null
  lastModified: string | null
}

/**
 * Reads a source into the database on a separate connection. Works in pieces, so that memory does not grow with the file. Returns null if the file has
 * not changed. Throws GuideFailure or FarFewerPrograms without having changed anything.
 */
export async function ingest({ sourceId, zone, connection, file }: IngestJob): Promise<Ingested | null> {
  const client = new pg.Client({ ...connection, application_name: 'sauce guide', statement_timeout: 0 })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const opened = await openFile(file, client, AbortSignal.timeout(limits.guide.totalMs))
    if (!opened) return null
    const staged = await stageFile(client, { sourceId, zone }, opened.bytes)
    const merged = await merge(client, { sourceId, channels: staged.channels, isComplete: staged.isComplete })
    const { bytes, programs, isComplete } = staged
    // The next read stages the skipped programs, so it must not be a conditional request.
    const { etag, lastModified } = staged.needsFullRead ? { etag: null, lastModified: null } : opened
    return { ...merged, bytes, programs, isComplete, etag, lastModified }
  } finally {
    await client.end().catch(() => undefined)
  }
}

type Staged = {
  channels: StagedChannel[]
  bytes: number
  programs: number
  isComplete: boolean
  needsFullRead: boolean
}

/** Stages the programs of channels that are matched, or may be matched once the whole file has been read. */
async function stageFile(
  client: pg.Client,
  { sourceId, zone }: { sourceId: number; zone: string },
  source: Bytes,
): Promise<Staged> {
  const stage = new Stage(client)
  await stage.create()
  const choice = await chooseChannels(client, sourceId)
  const reader = new XmltvReader({
    offsetAt: offsetsOf(zone),
    ...(await storedRange(client)),
    onChannel: choice.describe,
    isWanted: (channel) => choice.numberOf(channel) !== null,
    onProgram: (program) => stage.add(choice.numberOf(program.channel)!, program),
  })
  let bytes = 0
  const counted = async function* () {
    for await (const chunk of source) {
      bytes += chunk.byteLength
      yield chunk
    }
  }
  for await (const text of decode(unpack(counted()))) {
    // A chunk can be large, and the parser calls back for each element in it before `write` returns. Smaller pieces let the stage be flushed in between.
    for (let at = 0; at < text.length; at += pieceChars) {
      reader.push(text.slice(at, at + pieceChars))
      if (stage.bytes >= flushBytes) await stage.flush()
    }
  }
  reader.end()
  await stage.flush()
  if (reader.programs === 0) throw new GuideFailure('empty')
  const { programs, isComplete } = reader
  return { channels: choice.channels(), bytes, programs, isComplete, needsFullRead: choice.skippedPrograms() }
}

const pieceChars = 64 * 1024
const flushBytes = 512 * 1024

/** Returns the time range for which programs are stored, in seconds since 1970 by the database clock. */
async function storedRange(client: pg.Client): Promise<{ from: number; until: number }> {
  const { rows } = await client.query<{ from: number; until: number }>(
    `select extract(epoch from guide_kept_from())::int as from,
       extract(epoch from now() + make_interval(days => $1::int))::int as until`,
    [limits.guide.aheadDays],
  )
  return rows[0]!
}

/** Decides by id and name which channels of the file may be matched, and numbers them. */
async function chooseChannels(client: pg.Client, sourceId: number) {
  const lineup = await readLineup(client, sourceId)
  const ids = new Set(lineup.map(({ epgId }) => idKey(epgId)).filter((key) => key !== ''))
  const names = new Set(lineup.map(({ name }) => nameKey(name)).filter((key) => key !== ''))
  const { rows } = await client.query<{ id: string }>(
    `select xmltv_id as id from guide_channels c
     where source_id = $1 and exists (select from channel_guides g where g.guide_channel_id = c.id)`,
    [sourceId],
  )
  const known = new Set(rows.map(({ id }) => id))
  const described = new Map<string, string>()
  const numbers = new Map<string, number | null>()
  let skippedPrograms = false
  const mayMatch = (id: string) => known.has(id) || ids.has(idKey(id)) || names.has(nameKey(described.get(id) ?? ''))
  return {
    describe: ({ id, name }: { id: string; name: string }) => {
      if (described.get(id)) return
      described.set(copyOf(id), copyOf(name))
      if (numbers.get(id) === null && mayMatch(id)) skippedPrograms = true
    },
    /** Returns the number of a channel whose programs are staged; null for other channels. */
    numberOf: (id: string): number | null => {
      let number = numbers.get(id)
      if (number === undefined) {
        number = id !== '' && id.length <= 200 && mayMatch(id) ? numbers.size : null
        numbers.set(copyOf(id), number)
      }
      return number
    },
    channels: (): StagedChannel[] => [
      ...[...described].map(([id, name]) => ({ id, name, n: numbers.get(id) ?? null })),
      ...[...numbers].flatMap(([id, n]) => (n === null || described.has(id) ? [] : [{ id, name: '', n }])),
    ],
    /** Whether programs were skipped because they came before the name of a channel that may be matched. */
    skippedPrograms: () => skippedPrograms,
  }
}
