import type { Watch } from '../../contract.ts'

/**
 * Codecs that some browsers do not support: the name for viewers, and the media type whose support is checked. A codec without a type is supported by no
 * browser.
 */
const optionalCodecs: Record<string, { name: string; type?: string }> = {
  ac3: { name: 'Dolby Digital sound', type: 'audio/mp4; codecs="ac-3"' },
  eac3: { name: 'Dolby Digital Plus sound', type: 'audio/mp4; codecs="ec-3"' },
  hevc: { name: 'HEVC video', type: 'video/mp4; codecs="hvc1.1.6.L93.B0"' },
  mpeg1: { name: 'MPEG-1 video' },
  mpeg2: { name: 'MPEG-2 video' },
}

/** Returns the codec of a channel that this browser does not support, for example `Dolby Digital sound`; undefined if none is known to be missing. */
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
