/** A point of a TrendChart. */
export type TrendPoint = {
  key: string
  /** The heading of the tip. */
  title: string
  /** The label on the x axis; most points have none. */
  tick?: string | undefined
  /** The height of the bar, and the part of it that was lost. */
  value: number
  loss?: number
  /** The value of the line below the bars. */
  level: number
}
