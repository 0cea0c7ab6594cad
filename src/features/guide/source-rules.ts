/** The states of a source. `waiting`: not read yet. */
export const sourceStates = ['waiting', 'reading', 'read', 'failed'] as const
export type SourceState = (typeof sourceStates)[number]
export const sourceStateNames: Record<SourceState, string> = {
  waiting: 'Waiting',
  reading: 'Reading',
  read: 'Read',
  failed: 'Failed',
}

/** Which channels the list of matches shows. */
export const matchStates = ['unmatched', 'id', 'name', 'hand'] as const
export type MatchState = (typeof matchStates)[number]
export const matchStateNames: Record<MatchState, string> = {
  unmatched: 'Not matched',
  id: 'By id',
  name: 'By name',
  hand: 'By hand',
}

/** An upload arrives in parts of this size in bytes; it has at most `mostUploadParts`, which is 600 MB. */
export const uploadPartBytes = 4 * 1024 * 1024
export const mostUploadParts = 150
/** How many sources there may be. */
export const mostSources = 20
/** By how much listings can be moved, in minutes. */
export const mostShiftMinutes = 1_440

/** Whether this is an address that XMLTV files can be read from: http or https. */
export function isSourceAddress(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== ''
}

const sizes = ['bytes', 'KB', 'MB', 'GB']
/** A size for people, such as `12.4 MB`. */
export function sizeText(bytes: number): string {
  const power = Math.min(sizes.length - 1, bytes < 1_000 ? 0 : Math.floor(Math.log10(bytes) / 3))
  const shown = power === 0 ? bytes : Math.round(bytes / 10 ** (3 * power - 1)) / 10
  return `${shown.toLocaleString('en-US')} ${sizes[power]}`
}
