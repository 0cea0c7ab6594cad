import type { ReactNode } from 'react'

/** One fact in `<dl className="details">`; a wide one takes the whole row and keeps its line breaks. */
export function DetailLine({ label, wide, children }: { label: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={wide ? 'col-span-full' : undefined}>
      <dt>{label}</dt>
      <dd className={wide ? 'whitespace-pre-line' : undefined}>{children}</dd>
    </div>
  )
}
