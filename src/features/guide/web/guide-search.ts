/** The query parameters of the guide. */
export type GuideSearch = {
  /** A guide day as a date; today without it. */
  day?: string | undefined
  /** The time that the list shows, as an instant; now without it. */
  at?: string | undefined
  /** A channel category, or `favorites`. */
  category?: string | undefined
  q?: string | undefined
  view?: 'grid' | 'list' | undefined
  /** How many channels the list shows. */
  show?: number | undefined
}
