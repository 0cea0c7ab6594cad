import { Spinner } from '#web/ui/spinner.tsx'

/** A spinner that says what is loading on the TV. */
export function TvLoading({ label }: { label: string }) {
  return (
    <p role="status">
      <Spinner /> {label}
    </p>
  )
}
