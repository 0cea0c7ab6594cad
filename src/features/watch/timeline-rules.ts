/** Times in milliseconds: the start and end of the program, the position of the viewer, and the present. */
type Times = { from: number; to: number; at: number; live: number; isRecording: boolean }

/** Formats a duration in milliseconds as `41:12` or `2:00:00`. */
export function formatPlaybackTime(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const rest = String(seconds % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`
}

/** Returns the position for screen readers: `20:14 of 45 minutes, live is 3 minutes ahead`. */
export function valueText({ from, to, at, live }: Times): string {
  const minutes = Math.round((to - from) / 60_000)
  const behind = Math.round((live - at) / 60_000)
  const position = `${formatPlaybackTime(at - from)} of ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
  if (live >= to || behind < 1) return live >= to ? position : `${position}, live`
  return `${position}, live is ${behind} ${behind === 1 ? 'minute' : 'minutes'} ahead`
}

/** Returns the position that the controls show: `41:12 / 2:00:00` in a recording, `−3:00` behind live, otherwise `22 min left`. */
export function timeText({ from, to, at, live, isRecording }: Times): string {
  if (isRecording) return `${formatPlaybackTime(at - from)} / ${formatPlaybackTime(to - from)}`
  if (live - at > 15_000) return `−${formatPlaybackTime(live - at)}`
  return `${Math.max(1, Math.ceil((to - live) / 60_000))} min left`
}

const clock = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' })
const dateAndClock = new Intl.DateTimeFormat('en-US', {
  month: 'long',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})
const dayMs = 24 * 3_600_000

/** Returns when something began, in the time zone of this device: `8:36 PM`, with the date if it is more than a day ago. */
export function sinceText(at: string): string {
  const began = new Date(at)
  return (Date.now() - began.getTime() < dayMs ? clock : dateAndClock).format(began)
}
