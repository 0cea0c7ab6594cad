import type { ReactNode } from 'react'

/** A label and its value in `<dl className="details">`. `wide` takes the full row and keeps line breaks. */
export function DetailLine({ label, wide, children }: { label: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={wide ? 'col-span-full' : undefined}>
      <dt>{label}</dt>
      <dd className={wide ? 'whitespace-pre-line' : undefined}>{children}</dd>
    </div>
  )
}
