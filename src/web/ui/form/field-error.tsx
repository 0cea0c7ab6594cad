import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

export function FieldError({ id, children }: { id?: string | undefined; children: ReactNode }) {
  return (
    <p id={id} className="field-error">
      <CircleAlert size={15} />
      <span>{children}</span>
    </p>
  )
}
