import type { ReactNode } from 'react'

interface Props {
  titleId: string
  /** What the chart shows, in one or two sentences. */
  sentence: string
  /** New data is loading: the old chart stays, dimmed. */
  isStale?: boolean
  children: ReactNode
}

/** A chart with a caption that only screen readers read. */
export function ChartFigure({ titleId, sentence, isStale, children }: Props) {
  return (
    <figure aria-labelledby={`${titleId} ${titleId}-caption`} className={isStale ? 'chart chart-stale' : 'chart'}>
      <figcaption id={`${titleId}-caption`} className="sr-only">
        {sentence}
      </figcaption>
      {children}
    </figure>
  )
}
