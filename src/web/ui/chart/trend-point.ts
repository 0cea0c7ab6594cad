/** A point of a TrendChart. */
export type TrendPoint = {
  key: string
  /** The heading of the tooltip. */
  title: string
  /** The label on the x axis; most points have none. */
  tick?: string | undefined
  /** The height of the bar. */
  value: number
  /** The part of `value` that was lost. */
  loss?: number
  /** The value of the line below the bars. */
  level: number
}
