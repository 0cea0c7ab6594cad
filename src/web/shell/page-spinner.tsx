import { Spinner } from '../ui/spinner.tsx'

/** Fills the main area while the user or a page is loading. */
export function PageSpinner({ label = 'Loading' }: { label?: string }) {
  return (
    <div className="page-spinner" role="status">
      <Spinner />
      <h1 className="sr-only">{label}</h1>
    </div>
  )
}
