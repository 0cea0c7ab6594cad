import { clsx } from 'clsx'

interface Props {
  /** A dash stands for none. */
  text: string | null
  /** What the pointer tells; the text itself where nothing else is given. */
  title?: string
  wide?: boolean
  className?: string
}

/** A cell's text, cut to one line where it is long. */
export function Clipped({ text, title = text ?? undefined, wide = false, className }: Props) {
  return (
    <span className={clsx('cell-clip', wide && 'cell-clip-wide', className)} title={title}>
      {text ?? '-'}
    </span>
  )
}
