type KeyRow = {
  keys: readonly string[]
  does: string
  /** A shortcut of one character, which the viewer can switch off. */
  single?: true
  /** What is shown between two keys, such as `to`. */
  between?: string
}

/** The keyboard shortcuts of the player, as its list shows them. `use-player-keys.ts` handles them. */
export const playerKeys: readonly KeyRow[] = [
  { keys: ['Space'], does: 'Play or pause' },
  { keys: ['K'], does: 'Play or pause, too', single: true },
  { keys: ['←', '→'], does: 'Back or forward 10 seconds' },
  { keys: ['Shift', '← →'], does: 'Back or forward 1 minute', between: 'with' },
  { keys: ['↑', '↓'], does: 'Volume' },
  { keys: ['Page Up', 'Page Down'], does: 'Channel up or down' },
  { keys: ['0', '9'], does: 'Channel by number', single: true, between: 'to' },
  { keys: ['L'], does: 'Last channel', single: true },
  { keys: ['Backspace'], does: 'Last channel, too' },
  { keys: ['End'], does: 'Go live' },
  { keys: ['Home'], does: 'Watch from start' },
  { keys: ['C'], does: 'Subtitles on or off', single: true },
  { keys: ['A'], does: 'Next audio track', single: true },
  { keys: ['M'], does: 'Mute', single: true },
  { keys: ['S'], does: 'Channel strip', single: true },
  { keys: ['G'], does: 'Guide', single: true },
  { keys: ['I'], does: 'Details of the program', single: true },
  { keys: ['P'], does: 'Picture in picture', single: true },
  { keys: ['F'], does: 'Full screen', single: true },
  { keys: ['W'], does: 'Add to watchlist', single: true },
  { keys: ['?'], does: 'This list', single: true },
  { keys: ['Esc'], does: 'Close what is open, then leave full screen' },
]
