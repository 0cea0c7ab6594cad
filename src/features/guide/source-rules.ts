/** The states of a source. `waiting`: not read yet, or to be read again after a shutdown. */
export const sourceStates = ['waiting', 'reading', 'read', 'failed'] as const
export type SourceState = (typeof sourceStates)[number]
export const sourceStateNames: Record<SourceState, string> = {
  waiting: 'Waiting',
  reading: 'Reading',
  read: 'Read',
  failed: 'Failed',
}

/** The values of the status filter in the list of matches. */
export const matchStates = ['unmatched', 'id', 'name', 'hand'] as const
export type MatchState = (typeof matchStates)[number]
export const matchStateNames: Record<MatchState, string> = {
  unmatched: 'Not matched',
  id: 'By ID',
  name: 'By name',
  hand: 'By hand',
}

/** The size of an upload part in bytes. With `maxUploadParts` parts, an upload has at most 600 MB. */
export const uploadPartBytes = 4 * 1024 * 1024
export const maxUploadParts = 150
/** The maximum number of sources. */
export const maxSources = 20
/** The maximum shift of listings in either direction, in minutes. */
export const maxShiftMinutes = 1_440

/** Whether the text is an http or https URL. */
export function isSourceAddress(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== ''
}

const sizes = ['bytes', 'KB', 'MB', 'GB']
/** Returns a file size as text, such as `12.4 MB`. */
export function sizeText(bytes: number): string {
  const power = Math.min(sizes.length - 1, bytes < 1_000 ? 0 : Math.floor(Math.log10(bytes) / 3))
  const shown = power === 0 ? bytes : Math.round(bytes / 10 ** (3 * power - 1)) / 10
  return `${shown.toLocaleString('en-US')} ${sizes[power]}`
}
