import { Spinner } from '#web/ui/spinner.tsx'

/** A spinner with what the TV waits for. */
export function TvWait({ label }: { label: string }) {
  return (
    <p className="tv-wait" role="status">
      <Spinner /> {label}
    </p>
  )
}
