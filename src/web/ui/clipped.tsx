import { clsx } from 'clsx'

interface Props {
  /** Null shows a dash. */
  text: string | null
  /** The tooltip; the text itself by default. */
  title?: string
  wide?: boolean
  className?: string
}

/** The text of a table cell, truncated to a single line. */
export function Clipped({ text, title = text ?? undefined, wide = false, className }: Props) {
  return (
    <span className={clsx('cell-clip', wide && 'cell-clip-wide', className)} title={title}>
      {text ?? '-'}
    </span>
  )
}
