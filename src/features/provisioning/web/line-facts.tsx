import { connectionsText } from '#features/iptv/rules.ts'
import { DateText } from '#web/ui/time/date-text.tsx'

interface Props {
  facts: { enabled: boolean | null; until: string | null; connections: number | null }
}

/** The state of a line in one sentence: enabled, expiry date, connections. */
export function LineFacts({ facts: { enabled, until, connections } }: Props) {
  if (enabled === null) return 'Unknown'
  if (!enabled) return 'Disabled'
  return (
    <>
      Enabled, {until === null ? 'no expiry date' : 'until '}
      {until !== null && <DateText value={until} look="minute" />},{' '}
      {connections === null ? 'connections unknown' : connectionsText(connections)}
    </>
  )
}
