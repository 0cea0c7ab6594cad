type Times = { from: number; to: number; at: number; live: number; isRecording: boolean }

/** `41:12`, `2:00:00`, of a time in milliseconds. */
export function clockOf(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const end = String(seconds % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${end}` : `${minutes}:${end}`
}

/** For screen readers: `20:14 of 45 minutes, live is 3 minutes ahead`. All times in milliseconds. */
export function valueText({ from, to, at, live }: Times): string {
  const minutes = Math.round((to - from) / 60_000)
  const behind = Math.round((live - at) / 60_000)
  const position = `${clockOf(at - from)} of ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
  if (live >= to || behind < 1) return live >= to ? position : `${position}, live`
  return `${position}, live is ${behind} ${behind === 1 ? 'minute' : 'minutes'} ahead`
}

/** What the controls show: `41:12 / 2:00:00` in a recording, how far behind live, or how much is left. */
export function timeText({ from, to, at, live, isRecording }: Times): string {
  if (isRecording) return `${clockOf(at - from)} / ${clockOf(to - from)}`
  if (live - at > 15_000) return `−${clockOf(live - at)}`
  return `${Math.max(1, Math.ceil((to - live) / 60_000))} min left`
}
