type Shortcut = {
  keys: readonly string[]
  action: string
  /** Whether this is a shortcut with a single character. The viewer can turn those off. */
  single?: true
  /** The word between two keys, such as `to`. */
  between?: string
}

/** The keyboard shortcuts of the player, as the dialog lists them. `use-player-shortcuts.ts` handles them. */
export const playerShortcuts: readonly Shortcut[] = [
  { keys: ['Space'], action: 'Play or pause' },
  { keys: ['K'], action: 'Play or pause (alternative)', single: true },
  { keys: ['←', '→'], action: 'Back or forward 10 seconds' },
  { keys: ['Shift', '← →'], action: 'Back or forward 1 minute', between: 'with' },
  { keys: ['↑', '↓'], action: 'Volume' },
  { keys: ['Page Up', 'Page Down'], action: 'Channel up or down' },
  { keys: ['0', '9'], action: 'Channel by number', single: true, between: 'to' },
  { keys: ['L'], action: 'Last channel', single: true },
  { keys: ['Backspace'], action: 'Last channel (alternative)' },
  { keys: ['End'], action: 'Go live' },
  { keys: ['Home'], action: 'Watch from start' },
  { keys: ['C'], action: 'Subtitles on or off', single: true },
  { keys: ['A'], action: 'Next audio track', single: true },
  { keys: ['M'], action: 'Mute', single: true },
  { keys: ['S'], action: 'Channel strip', single: true },
  { keys: ['G'], action: 'Guide over the picture', single: true },
  { keys: ['I'], action: 'Details of the program', single: true },
  { keys: ['P'], action: 'Picture in picture', single: true },
  { keys: ['F'], action: 'Full screen', single: true },
  { keys: ['W'], action: 'Add to watchlist', single: true },
  { keys: ['?'], action: 'This list', single: true },
  { keys: ['Esc'], action: 'Close what is open, then leave full screen' },
]
