/** The only media types that the relay sends. */
export const mediaTypes = {
  playlist: 'application/vnd.apple.mpegurl',
  transport: 'video/mp2t',
  mp4: 'video/mp4',
  subtitles: 'text/vtt; charset=utf-8',
  audio: 'audio/aac',
  binary: 'application/octet-stream',
} as const

const boxes = new Set(['ftyp', 'styp', 'moof', 'moov', 'sidx', 'emsg', 'prft', 'mdat'])
const packet = 188

/** Returns what kind of text a body is if it is not media, for the log. */
export const kindOfText = (head: Buffer): string => {
  const text = head.toString('latin1', 0, 20).trimStart()
  return text.startsWith('<') ? 'page' : /^[{[]/.test(text) ? 'JSON' : 'other bytes'
}

/** Returns the media type of a segment, determined by its first bytes; undefined if it is not media, for example an error page from the panel. */
export function mediaTypeOf(head: Buffer): string | undefined {
  if (head.length === 0) return undefined
  // A shorter body that begins with this byte is text that begins with the letter G.
  if (head[0] === 0x47 && (head.length === packet || head[packet] === 0x47)) return mediaTypes.transport
  if (boxes.has(head.toString('latin1', 4, 8))) return mediaTypes.mp4
  if (/^(\xef\xbb\xbf)?WEBVTT/.test(head.toString('latin1', 0, 9))) return mediaTypes.subtitles
  if (head.toString('latin1', 0, 3) === 'ID3') return mediaTypes.audio
  // ADTS: twelve bits that are set, then layer 0.
  if (head[0] === 0xff && (head[1]! & 0xf6) === 0xf0) return mediaTypes.audio
  return undefined
}
