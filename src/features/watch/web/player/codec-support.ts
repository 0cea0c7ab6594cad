import type { Watch } from '../../contract.ts'

/** Codecs that some browsers lack: the name for viewers, and the media type to ask the browser about. Without a type, no browser plays it. */
const optionalCodecs: Record<string, { name: string; type?: string }> = {
  ac3: { name: 'Dolby Digital sound', type: 'audio/mp4; codecs="ac-3"' },
  eac3: { name: 'Dolby Digital Plus sound', type: 'audio/mp4; codecs="ec-3"' },
  hevc: { name: 'HEVC video', type: 'video/mp4; codecs="hvc1.1.6.L93.B0"' },
  mpeg1: { name: 'MPEG-1 video' },
  mpeg2: { name: 'MPEG-2 video' },
}

/** The codec of a channel that this browser lacks, for example `Dolby Digital sound`; undefined if none is known to be missing. */
export function findMissingCodec({
  video,
  audio,
}: Pick<Watch['channels'][number], 'video' | 'audio'>): string | undefined {
  if (typeof MediaSource === 'undefined') return undefined
  for (const codec of [video, audio]) {
    const found = codec ? optionalCodecs[codec] : undefined
    if (found && !(found.type && MediaSource.isTypeSupported(found.type))) return found.name
  }
  return undefined
}
