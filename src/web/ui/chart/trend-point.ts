/** A point of a TrendChart. */
export type TrendPoint = {
  key: string
  /** The heading of the tip. */
  title: string
  /** The label on the x axis; most points have none. */
  tick?: string | undefined
  /** The bar, and the part of it that was lost again. */
  value: number
  loss?: number
  /** The line below. */
  level: number
}
