/** A grid without labels, with a sentence that says when the chart will have data. */
export function EmptyPlot({ title, text }: { title: string; text: string }) {
  return (
    <div className="plot-empty">
      <p className="plot-empty-title">{title}</p>
      <p>{text}</p>
    </div>
  )
}
