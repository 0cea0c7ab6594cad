// What panels may send instead of a channel's playlist, a segment, or a transport stream.
import { bytes, playlist, redirect, type StreamMode, segmentOf, transport } from './fake-streams.ts'

/** Sends the playlist of a channel whose segments have these URLs. */
export const media = (...uris: string[]): StreamMode =>
  playlist('#EXTM3U', '#EXT-X-TARGETDURATION:2', ...uris.flatMap((uri) => ['#EXTINF:2,', uri]))
/** Sends `chunk` again and again, as fast as it is read. */
const endlessly =
  (chunk: Buffer): StreamMode =>
  (response) => {
    response.writeHead(200, {})
    const write = () => {
      for (let n = 0; n < 100 && !response.destroyed; n++) if (!response.write(chunk)) return
    }
    response.on('drain', write)
    write()
  }
/** Sends the beginning of a body and closes the connection. */
const cutOff =
  (body: Buffer, headers: Record<string, string> = {}): StreamMode =>
  (response) => {
    response.writeHead(200, headers).write(body)
    setTimeout(() => response.destroy(), 20)
  }
/** Sends an HTML page that is larger than one read from a connection returns. */
const page = (text: string) => bytes(`<html>${text}${'<!-- -->'.repeat(16_384)}</html>`, 'text/html')
const packet = (pid: number): Buffer => {
  const whole = Buffer.alloc(188, 0xff)
  whole.set([0x47, pid >> 8, pid & 0xff, 0x10])
  return whole
}
const many = (part: Buffer): Buffer => Buffer.concat(Array<Buffer>(400).fill(part))

/** Faults of a channel's playlist, with the error code that viewers get. */
export const channelFaults: [name: string, code: string, mode: StreamMode][] = [
  ['an HTML page', 'channel_down', page('Over capacity')],
  ['JSON', 'channel_down', bytes(`{"user_info":{"auth":0,"pad":"${' '.repeat(65_536)}"}}`, 'application/json')],
  ['nothing', 'channel_down', bytes('')],
  ['status 404', 'channel_down', bytes('', 'text/html', 404)],
  ['status 500', 'channel_down', bytes('', 'text/html', 500)],
  ['status 401', 'refused', bytes('', 'text/html', 401)],
  ['status 429', 'too_many', bytes('', 'text/html', 429)],
  ['an endless playlist', 'bad_stream', endlessly(Buffer.from(`#EXTM3U\n${'#\n'.repeat(32_000)}`))],
  ['a connection that is closed without a response', 'panel_down', (response) => void response.destroy()],
  [
    'compressed data',
    'bad_stream',
    (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'.repeat(65_536)),
  ],
  [
    'an encrypted stream',
    'protected',
    playlist('#EXTM3U', '#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://x"', '#EXTINF:2,', 'a.ts'),
  ],
  [
    'only URLs that must not be requested',
    'bad_stream',
    media('file:///etc/passwd', 'data:video/mp2t,x', 'ftp://x/y', 'http://u:p@x/'),
  ],
  ['a redirect to a private address', 'bad_stream', redirect('http://10.0.0.1/live.m3u8')],
  ['a redirect to the metadata service', 'bad_stream', redirect('http://169.254.169.254/latest/')],
  ['a redirect to a private address in decimal', 'bad_stream', redirect('http://2130706434/')],
  ['a redirect to an IPv6-mapped private address', 'bad_stream', redirect('http://[::ffff:10.0.0.1]/')],
  ['a redirect to this site', 'bad_stream', redirect('http://localhost:3000/api/user')],
  ['a redirect to a file', 'bad_stream', redirect('file:///etc/passwd')],
  ['a redirect to a URL with a password', 'bad_stream', redirect('http://u:p@127.0.0.1/x')],
  ['a redirect to a database', 'bad_stream', redirect('http://127.0.0.1:5432/')],
  ['an endless redirect to itself', 'bad_stream', (response, request) => redirect(request.url!)(response, request)],
  [
    'a playlist that is cut off',
    'channel_down',
    cutOff(Buffer.from(`#EXTM3U\n${'#\n'.repeat(32_000)}`), { 'content-length': '99999' }),
  ],
]

/** Faults of a segment. */
export const segmentFaults: [name: string, mode: StreamMode][] = [
  ['an HTML page', page('no')],
  ['nothing', bytes('')],
  ['status 503', bytes('x', 'video/mp2t', 503)],
  [
    'more than 64 MiB',
    (response) => void response.writeHead(200, { 'content-length': String(65 * 1024 * 1024) }).write(segmentOf(0)),
  ],
  ['a redirect to a private address', redirect('http://192.168.0.1/a.ts')],
]

/** Faults of a segment whose first bytes reach the viewer. */
export const lateSegmentFaults: [name: string, mode: StreamMode][] = [
  ['a segment that is cut off', cutOff(segmentOf(0), { 'content-length': String(2 * segmentOf(0).length) })],
  ['a segment without an end', endlessly(segmentOf(0))],
  ['a segment of packets without a program', bytes(many(packet(0x1fff)))],
  ['a segment that is cut off within a packet', bytes(segmentOf(1).subarray(0, 188 * 100 + 40))],
]

/** Faults of a transport stream. */
export const transportFaults: [name: string, mode: StreamMode][] = [
  ['packets without tables', endlessly(Buffer.alloc(188 * 5_000, 0x47))],
  ['a stream that ends after two seconds, again and again', transport({ burst: 4, seconds: 2 })],
  ['a stream that is cut off, again and again', cutOff(segmentOf(0).subarray(0, 188 * 200 + 90))],
  ['empty packets without an end', endlessly(many(packet(0x1fff)))],
  ['an HTML page', page('no')],
  ['a stream that turns into other data', endlessly(Buffer.concat([segmentOf(0), Buffer.alloc(400_000, 0x20)]))],
  ['packets of another size', endlessly(many(Buffer.concat([packet(0x100), Buffer.alloc(16)])))],
  ['one packet', bytes(packet(0x100))],
  ['a redirect to a private address', redirect('http://192.168.0.1/live.ts')],
]
