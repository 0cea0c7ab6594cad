import { connectionsText } from '#features/iptv/rules.ts'
import { DateText } from '#web/ui/date-text.tsx'

interface Props {
  facts: { enabled: boolean | null; until: string | null; connections: number | null }
}

/** How a line is or should be, in one line: switched on, until when, with how many connections. */
export function LineFacts({ facts: { enabled, until, connections } }: Props) {
  if (enabled === null) return 'Not known yet'
  if (!enabled) return 'Switched off'
  return (
    <>
      Switched on, {until === null ? 'without end' : 'until '}
      {until !== null && <DateText value={until} look="minute" />},{' '}
      {connections === null ? 'connections not known' : connectionsText(connections)}
    </>
  )
}
