import { Download, Info } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { ButtonAnchor } from '#web/ui/button/button-anchor.tsx'
import { Card } from '#web/ui/card.tsx'
import { ChartFigure } from '#web/ui/chart/chart-figure.tsx'

interface Props {
  title: string
  sentence: string
  definition: string
  /** The URL of the CSV file of the figure. */
  exportHref: string
  isStale: boolean
  aside?: ReactNode
  className?: string
  /** The table behind the chart. */
  table?: ReactNode
  children: ReactNode
}

/** A figure with its chart, its table, its definition and its CSV file. */
export function InsightCard({
  title,
  sentence,
  definition,
  exportHref,
  isStale,
  aside,
  className,
  table,
  children,
}: Props) {
  const id = useId()
  return (
    <Card title={title} titleId={id} aside={aside} className={className}>
      <ChartFigure titleId={id} sentence={sentence} isStale={isStale}>
        {children}
      </ChartFigure>
      <div className="chart-foot">
        {table}
        <details className="chart-details">
          <summary>
            <Info size={16} /> Definition
          </summary>
          <p className="chart-definition">{definition}</p>
        </details>
        <ButtonAnchor
          className="chart-export"
          variant="ghost"
          size="sm"
          href={exportHref}
          download
          aria-label={`Export CSV: ${title}`}
        >
          <Download size={16} />
          CSV
        </ButtonAnchor>
      </div>
    </Card>
  )
}
