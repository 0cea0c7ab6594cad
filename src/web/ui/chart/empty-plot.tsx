/** Shown instead of a chart without data: a grid without labels, and a sentence that says when the chart will have data. */
export function EmptyPlot({ title, text }: { title: string; text: string }) {
  return (
    <div className="plot-empty">
      <p className="plot-empty-title">{title}</p>
      <p>{text}</p>
    </div>
  )
}
