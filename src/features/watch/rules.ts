/**
 * The reasons why a channel does not play. The keys are the codes in errors, stored plays and logs; the values are the messages for viewers. Messages from a
 * panel are never shown.
 */
export const reasons = {
  taken: 'Another device took over this screen.',
  slots_full: 'All your screens are in use.',
  expired: 'You have no running subscription.',
  paused: 'Your TV login is paused.',
  preparing: 'Your TV login is not ready yet.',
  territory: 'This channel is not available in your country.',
  not_licensed: 'This channel is not available here.',
  channel_down: 'This channel is off the air.',
  panel_down: 'Our streaming service does not respond.',
  refused: 'Our streaming service did not accept your TV login.',
  too_many: 'Your last stream is still being closed. Please try again in a moment.',
  protected: 'This channel is encrypted and cannot be played in a browser.',
  bad_stream: 'This channel cannot be played in a browser. The app on your TV or phone may play it.',
  archive_missing: 'This program is not in the archive.',
  relay_full: 'Too many viewers are watching right now. Please try again soon.',
  shared_address: 'This screen was used in two places at the same time.',
  session_over: 'You are logged out on this device.',
  closed: 'Playback was stopped.',
} as const
export type Reason = keyof typeof reasons
export const reasonNames = Object.keys(reasons) as [Reason, ...Reason[]]

/** Reasons that count as failures of the channel: the channel or the panel is at fault, never the viewer. */
export const faults: readonly Reason[] = ['channel_down', 'panel_down', 'bad_stream']

/**
 * Returns how many screens a customer may use at the same time: the connections of the line. 0 means a synced account without a limit, which gets 20 screens.
 * Null means that the limit is unknown; then it is 1.
 */
export const screensOf = (connections: number | null): number => (connections === 0 ? 20 : (connections ?? 1))

/**
 * Returns how many hours back the archive of a channel can be watched: the minimum of what the panel keeps, what the rights cover and what the operator
 * advertises. `claimedDays` is 0 if the operator advertises nothing.
 */
export const archiveHours = (panelDays: number, licensedHours: number, claimedDays: number): number =>
  Math.min(panelDays * 24, licensedHours, claimedDays > 0 ? claimedDays * 24 : Number.POSITIVE_INFINITY)

/** Sorts the favorites before the other channels. The order within each group stays the same. */
export const favoritesFirst = <C extends { id: number }>(
  channels: readonly C[],
  favorites: ReadonlySet<number>,
): C[] => [...channels.filter(({ id }) => favorites.has(id)), ...channels.filter(({ id }) => !favorites.has(id))]
