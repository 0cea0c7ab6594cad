import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { limits } from '#server/limits.ts'
import { GuideFailure } from './guide-failure.ts'

export type Bytes = AsyncIterable<Buffer>
const gzip = [0x1f, 0x8b]
/** The first bytes of ZIP, XZ, bzip2, 7z and Zstandard files. */
const archives = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xfd, 0x37, 0x7a, 0x58, 0x5a],
  [0x42, 0x5a, 0x68],
  [0x37, 0x7a, 0xbc, 0xaf],
  [0x28, 0xb5, 0x2f, 0xfd],
]
const startsWith = (bytes: Buffer, start: number[]) => start.every((byte, at) => bytes[at] === byte)

/**
 * Decompresses a file. gzip is recognized by its first bytes, not by name or type; some servers compress it twice. Throws GuideFailure for other
 * archives, damaged files, and files over the limits.
 */
export async function* unpack(
  source: Bytes,
  { packedBytes, unpackedBytes }: { packedBytes: number; unpackedBytes: number } = limits.guide,
): AsyncGenerator<Buffer> {
  let layer = atMost(packedBytes, source)
  for (let layers = 0; ; layers++) {
    const { first, all } = await peek(layer)
    if (archives.some((start) => startsWith(first, start))) throw new GuideFailure('archive')
    if (!startsWith(first, gzip)) return yield* atMost(unpackedBytes, all)
    if (layers === 2) throw new GuideFailure('archive')
    layer = atMost(unpackedBytes, gunzip(all))
  }
}

async function* gunzip(source: Bytes): AsyncGenerator<Buffer> {
  let failure: unknown
  async function* readable() {
    try {
      yield* source
    } catch (error) {
      failure = error
      throw error
    }
  }
  try {
    yield* pipeline(Readable.from(readable()), createGunzip({ chunkSize: 64 * 1024 }), () => undefined) as Bytes
  } catch (error) {
    throw failure ?? ((error as { code?: string }).code?.startsWith('Z_') ? new GuideFailure('unpacked') : error)
  }
}

async function* atMost(bytes: number, source: Bytes): AsyncGenerator<Buffer> {
  let read = 0
  for await (const chunk of source) {
    read += chunk.byteLength
    if (read > bytes) throw new GuideFailure('too_large')
    yield chunk
  }
}

/** Returns the first bytes of a stream, and a stream of all its bytes. */
async function peek(source: Bytes): Promise<{ first: Buffer; all: AsyncGenerator<Buffer> }> {
  const iterator = source[Symbol.asyncIterator]()
  const chunks: Buffer[] = []
  let isDone = false
  while (Buffer.concat(chunks).byteLength < 6 && !isDone) {
    const next = await iterator.next()
    isDone = next.done === true
    if (!next.done) chunks.push(next.value)
  }
  async function* all() {
    try {
      yield* chunks
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
    } finally {
      await iterator.return?.(undefined)
    }
  }
  return { first: Buffer.concat(chunks), all: all() }
}

const declared = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.-]{1,40})["']/i

/** Decodes an XML file from its declared encoding, or else from UTF-8. */
export async function* decode(source: Bytes): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  for await (const chunk of source) {
    decoder ??= decoderOf(chunk)
    yield decoder.decode(chunk, { stream: true })
  }
  yield decoder?.decode() ?? ''
}

function decoderOf(first: Buffer) {
  if (startsWith(first, [0xff, 0xfe])) return new TextDecoder('utf-16le')
  if (startsWith(first, [0xfe, 0xff])) return new TextDecoder('utf-16be')
  const [, name = 'utf-8'] = declared.exec(first.subarray(0, 200).toString('latin1')) ?? []
  try {
    // If a declaration of UTF-16 can be read as single bytes, it is wrong.
    return new TextDecoder(/^utf-?16/i.test(name) ? 'utf-8' : name)
  } catch {
    return new TextDecoder()
  }
}
