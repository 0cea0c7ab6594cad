import type pg from 'pg'
import { limits } from '#server/limits.ts'
import { openStream } from '#server/outbound/open-stream.ts'
import { OutboundFailure } from '#server/outbound/outbound.ts'
import { type FailureCode, GuideFailure } from './guide-failure.ts'
import type { Bytes } from './unpack.ts'

/** Where the file comes from. */
export type FileSource =
  | {
      kind: 'address'
      address: string
      /** For a conditional request: an unchanged file is not read again. */
      etag: string | null
      lastModified: string | null
      userAgent: string
      /** Whether the host may have a private address. */
      allowPrivate: boolean
      /** The hosts of this site, which are never called. */
      ownHosts: string[]
    }
  | { kind: 'upload'; uploadId: string; parts: number }

type OpenFile = { bytes: Bytes; etag: string | null; lastModified: string | null }

/** Opens the file. Returns null if it has not changed since `etag` and `lastModified` were received. Throws GuideFailure. */
export const openFile = (source: FileSource, client: pg.Client, signal: AbortSignal): Promise<OpenFile | null> =>
  source.kind === 'address' ? fetchFile(source, signal) : Promise.resolve(uploadedFile(source, client))

async function fetchFile(
  { address, etag, lastModified, userAgent, allowPrivate, ownHosts }: FileSource & { kind: 'address' },
  signal: AbortSignal,
): Promise<OpenFile | null> {
  const url = new URL(address)
  const call = {
    url,
    signal,
    firstByteMs: limits.guide.firstByteMs,
    mayBePacked: true,
    headers: {
      'accept-encoding': 'gzip, identity',
      ...(etag && { 'if-none-match': etag }),
      ...(lastModified && { 'if-modified-since': lastModified }),
    },
  }
  const rules = { base: url, allowPrivate, userAgent, ownHosts: new Set(ownHosts) }
  const response = await openStream(call, rules).catch((error: unknown) => refuse(failureCodeOf(error, signal)))
  const { status, headers, body, close } = response
  if (status !== 200) {
    close()
    if (status === 304 && (etag || lastModified)) return null
    return refuse(
      status === 401 || status === 403 ? 'refused' : status === 404 || status === 410 ? 'missing' : 'server',
    )
  }
  return {
    bytes: readAndClose(body, close, signal),
    etag: headers.etag && headers.etag.length <= 300 ? headers.etag : null,
    lastModified: headers['last-modified']?.slice(0, 100) ?? null,
  }
}

/** Reads a response and closes it at the end. Throws GuideFailure when nothing arrives for `silenceMs`. */
async function* readAndClose(
  body: Bytes & { destroy: (error: Error) => void },
  close: () => void,
  signal: AbortSignal,
) {
  const timer = setTimeout(() => body.destroy(new OutboundFailure('timeout')), limits.guide.silenceMs)
  const stop = () => body.destroy(new OutboundFailure('timeout'))
  signal.addEventListener('abort', stop)
  try {
    for await (const chunk of body) {
      timer.refresh()
      yield chunk
      timer.refresh()
    }
  } catch (error) {
    throw new GuideFailure(failureCodeOf(error, signal))
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    close()
  }
}

function failureCodeOf(error: unknown, signal: AbortSignal): FailureCode {
  if (error instanceof GuideFailure) return error.code
  const code = error instanceof OutboundFailure ? error.code : 'unreachable'
  if (signal.aborted || code === 'timeout') return 'timeout'
  const known: Record<string, FailureCode> = {
    held: 'held',
    private_address: 'private_address',
    own_host: 'private_address',
    redirect: 'redirect',
    bad_encoding: 'unpacked',
  }
  return known[code] ?? 'unreachable'
}

const refuse = (code: FailureCode): never => {
  throw new GuideFailure(code)
}

function uploadedFile({ uploadId, parts }: FileSource & { kind: 'upload' }, client: pg.Client): OpenFile {
  async function* bytes() {
    for (let part = 0; part < parts; part++) {
      const { rows } = await client.query<{ bytes: Buffer }>(
        'select bytes from guide_upload_parts where upload_id = $1 and part = $2',
        [uploadId, part],
      )
      yield rows[0]?.bytes ?? refuse('upload')
    }
  }
  return { bytes: bytes(), etag: null, lastModified: null }
}
